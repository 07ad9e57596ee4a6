// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Demand is one thing that a sentence of a policy asks for.
type Demand struct {
	Sentence int        `json:"sentence"` // index into what was asked about
	Type     rules.Type `json:"type"`     // empty: no rule can carry it out
	Says     string     `json:"says"`     // in the model's words
	Tools    []string   `json:"tools,omitempty"`
	Why      string     `json:"why,omitempty"` // no rule can carry it out
}

// noRule is the type of a demand that no rule can carry out.
const noRule = "none"

// maxDemands bounds what one sentence may be split into.
const maxDemands = 8

// ReadSplit reads an answer to the split form about n sentences, numbered
// from 1. Problems say what is wrong with it; the demands that are sound are
// returned beside them.
func ReadSplit(answer vehicle.Value, n int, cat *vehicle.Catalog) (out []Demand, problems []string) {
	list, ok := answer.Member("demands")
	if answer.Kind() != vehicle.Object || !ok || list.Kind() != vehicle.List {
		return nil, []string{"the answer has no list demands"}
	}
	bad := func(i int, format string, args ...any) {
		problems = append(problems, fmt.Sprintf("demands[%d]: ", i)+fmt.Sprintf(format, args...))
	}
	count := make([]int, n)
	for i, it := range list.Items() {
		if it.Kind() != vehicle.Object || it.Len() == 0 {
			bad(i, "is empty")
			continue
		}
		num, _ := it.Member("sentence")
		f, ok := num.Float()
		at := int(f) - 1
		if !ok || f != float64(int(f)) || at < 0 || at >= n {
			bad(i, "sentence %s: there are the sentences 1 to %d", num, n)
			continue
		}
		d := Demand{Sentence: at, Says: line(it, "says"), Why: line(it, "why")}
		switch t := line(it, "type"); {
		case t == noRule:
		case slices.Contains(rules.Types(), rules.Type(t)):
			d.Type = rules.Type(t)
		default:
			bad(i, "type %q: one of %s, %s", t, strings.Join(typeNames(), ", "), noRule)
			continue
		}
		tools, _ := it.Member("tools")
		d.Tools = known(tools, cat, func(name, hint string) { bad(i, "there is no tool %s%s", name, hint) })
		if count[at]++; count[at] > maxDemands {
			bad(i, "sentence %d is split into more than %d demands", at+1, maxDemands)
			continue
		}
		out = append(out, d)
	}
	for at, c := range count {
		if c == 0 {
			problems = append(problems, fmt.Sprintf("sentence %d has no demand: write one of type %s and say why when no rule can carry it out", at+1, noRule))
		}
	}
	return out, problems
}

// known are the tools of a list of names; others are reported with what may
// have been meant. Parentheses are taken off silently: the name is only used
// to look the tool up.
func known(list vehicle.Value, cat *vehicle.Catalog, bad func(name, hint string)) []string {
	var out []string
	for _, v := range list.Items() {
		name, _, _ := strings.Cut(strings.TrimSpace(v.String()), "(")
		switch {
		case name == "":
		case toolNamed(cat, name) != nil:
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		default:
			hint := ""
			if s := vehicle.Suggest(name, toolNames(cat)); s != "" {
				hint = " (" + s + ")"
			}
			bad(name, hint)
		}
	}
	return out
}

// maxLine bounds a sentence that a model wrote, in bytes.
const maxLine = 300

// line is a member of an object as one line of text.
func line(o vehicle.Value, name string) string {
	v, _ := o.Member(name)
	s, _ := v.Text()
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxLine {
		s = strings.ToValidUTF8(s[:maxLine], "") + "…"
	}
	return s
}

func typeNames() []string {
	var out []string
	for _, t := range rules.Types() {
		out = append(out, string(t))
	}
	return out
}

// toolNamed finds a tool that is offered, or that the profile has.
func toolNamed(cat *vehicle.Catalog, name string) *vehicle.Tool {
	if t := cat.Tool(name); t != nil {
		return t
	}
	return cat.Profile.Tool(name)
}

func toolNames(cat *vehicle.Catalog) []string {
	var out []string
	for _, t := range cat.Tools {
		out = append(out, t.Name)
	}
	for _, t := range cat.Profile.Tools {
		if !slices.Contains(out, t.Name) {
			out = append(out, t.Name)
		}
	}
	return out
}
