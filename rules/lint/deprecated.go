// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

var deprecatedSignal = &Analyzer{
	Name:  "deprecated-signal",
	Doc:   "a signal, tool or argument whose declaration says that it is deprecated",
	Help:  "Use what its description names instead. A signal or tool is deprecated when its description begins with that word, an argument by its schema's deprecated: true.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			for _, q := range r.Requirements() {
				what, says := p.deprecated(q)
				if what != "" {
					p.report(r, r.Pos, says, "rule %s uses %s, which is deprecated", r.ID, what)
				}
			}
		}
	},
}

// deprecated names what of a requirement is deprecated, and what its
// declaration says.
func (p *Pass) deprecated(q rules.Requirement) (what, says string) {
	if q.Field != "" {
		if s := p.Catalog.Profile.Signal(q.Field); s != nil && saysDeprecated(s.Description) {
			return "signal " + s.Name, s.Description
		}
		return "", ""
	}
	t := p.Catalog.Tool(q.Tool)
	switch {
	case t == nil:
		return "", ""
	case q.Argument == "":
		if saysDeprecated(t.Description) {
			return "tool " + t.Name, t.Description
		}
		return "", ""
	}
	path, err := vehicle.ParsePath(q.Argument)
	if err != nil || t.Input == nil {
		return "", ""
	}
	if s := t.Input.At(path); s != nil {
		if d, ok := s.Raw.Member("deprecated"); ok && d.Equal(vehicle.BoolOf(true)) {
			return "argument " + q.Argument + " of " + t.Name, s.Description
		}
	}
	return "", ""
}

func saysDeprecated(description string) bool {
	return strings.HasPrefix(strings.ToLower(description), "deprecated")
}
