// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// unsaid names an argument that a rule must say something about and does not:
// a call of the trigger that switches on is one that switches off too, one
// that opens is one that closes. A rule that means both says so, with in.
func unsaid(r *rules.Rule, cat *vehicle.Catalog) []string {
	if r.Type == rules.Constraint || r.Type == rules.Selection {
		return nil // they are about what the call looks like
	}
	var out []string
	for _, o := range r.On {
		if o.Call == nil {
			continue
		}
		looked := append(arguments(o.When), arguments(slices.Concat(r.If, r.Unless, r.Need))...)
		for _, name := range o.Tools() {
			t := toolNamed(cat, name)
			if t == nil || t.Input == nil || t.Access != vehicle.Write {
				continue
			}
			if arg, off := turnsOff(t.Input); arg != "" && !slices.Contains(looked, arg) {
				out = append(out, fmt.Sprintf("the trigger %s means every call of it, %s %s too: add when with arg %s (in: [...] if all are meant)", name, arg, off, arg))
			}
		}
	}
	return out
}

// turnsOff is the argument by which a tool does a thing or its contrary, and
// a value of the contrary.
func turnsOff(s *vehicle.Schema) (arg, off string) {
	for _, p := range s.Properties {
		switch members := p.Schema.EnumText(); {
		case p.Schema.Type == "boolean":
			return p.Name, "false"
		case len(members) == 2:
			return p.Name, members[1]
		case len(members) == 0 && (p.Schema.Type == "number" || p.Schema.Type == "integer") && p.Schema.Min != nil && *p.Schema.Min == 0:
			return p.Name, "0"
		}
	}
	return "", ""
}

// arguments are the trigger's arguments that tests look at.
func arguments(tests []*rules.Test) []string {
	var out []string
	for _, t := range rules.Leaves(tests) {
		for _, l := range []rules.Left{t.Left, t.Right.Left} {
			if a, ok := l.(*rules.ArgLeft); ok {
				out = append(out, a.Path)
			}
		}
	}
	return out
}
