// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// Requirement is one thing that a rule needs to be offered: a tool, an
// argument of a tool, or a field that some read returns.
type Requirement struct {
	Tool     string // or empty
	Argument string // path of an argument of Tool, or empty
	Field    string // signal name, when Tool is empty
	Trigger  bool   // the tool is only waited for: without it the rule rests

	signal vehicle.SignalID
}

func (q Requirement) String() string {
	switch {
	case q.Field != "":
		return "field " + q.Field
	case q.Argument != "":
		return "argument " + q.Argument + " of " + q.Tool
	}
	return "tool " + q.Tool
}

func (c *checker) require(q Requirement) {
	if !slices.Contains(c.rule.needs, q) {
		c.rule.needs = append(c.rule.needs, q)
	}
}

// Requirements lists all that the rule needs, in the order it is written.
func (r *Rule) Requirements() []Requirement { return r.needs }

// Missing lists what the catalog does not offer of it. A field counts as
// missing when no offered read returns it; live signals may still tell it. A
// trigger that is not offered is not missing: it cannot be called either.
func (r *Rule) Missing(cat *vehicle.Catalog) []Requirement {
	var out []Requirement
	for _, q := range r.needs {
		switch {
		case q.Trigger:
		case q.Field != "":
			if len(cat.Readers(q.signal)) == 0 {
				out = append(out, q)
			}
		default:
			t := cat.Tool(q.Tool)
			if t == nil {
				if q.Argument == "" && !r.triggeredBy(q.Tool) {
					out = append(out, q)
				}
				continue
			}
			if q.Argument != "" {
				p, err := vehicle.ParsePath(q.Argument)
				if err == nil && t.Input.At(p) == nil {
					out = append(out, q)
				}
			}
		}
	}
	return out
}

func (r *Rule) triggeredBy(tool string) bool { return contains(r.Triggers(), tool) }
