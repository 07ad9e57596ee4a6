// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"maps"
	"slices"

	"github.com/carguardd/carguardd/rules/region"
	"github.com/carguardd/carguardd/vehicle"
)

var conflict = &Analyzer{
	Name:  "conflict",
	Doc:   "two rules that one call can make demand different values of one signal, neither of which contents the other rule",
	Help:  "Decide which of the two holds: add a condition to the other, or an unless.",
	Level: Error,
	Run: func(p *Pass) {
		ds := p.duties()
		seen := map[[2]string]bool{}
		for i := range ds {
			for j := i + 1; j < len(ds); j++ {
				a, b := &ds[i], &ds[j]
				key := [2]string{a.rule.ID, b.rule.ID}
				if a.rule == b.rule || a.way.Tool != b.way.Tool || seen[key] || !together(a, b) {
					continue
				}
				signal, ok := opposed(a, b)
				if !ok || !outlives(b.where, a.after) || !outlives(a.where, b.after) {
					continue
				}
				seen[key] = true
				p.report(b.rule, b.rule.Pos, "a call that both wait for would be held", "rules %s and %s can both apply to one call of %s, and demand %s and %s of %s",
					a.rule.ID, b.rule.ID, a.way.Tool, a.after[signal], b.after[signal], signal).and(a.rule)
			}
		}
	},
}

// together reports whether one state of everything that neither remedy
// changes lets both apply. Of what they change it is enough that each remedy
// brings the other rule about.
func together(a, b *duty) bool {
	joint := a.where.With(b.where)
	for name := range merged(a.after, b.after) {
		delete(joint, region.Field(name))
	}
	return joint.Holds()
}

// opposed names a signal that the two leave at different values.
func opposed(a, b *duty) (string, bool) {
	for _, name := range slices.Sorted(maps.Keys(a.after)) {
		x := a.after[name]
		if y, ok := b.after[name]; ok && x.Known() && y.Known() && !x.Equal(y) {
			return name, true
		}
	}
	return "", false
}

// merged is what is left after one and then another.
func merged(a, b map[string]vehicle.Value) map[string]vehicle.Value {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
