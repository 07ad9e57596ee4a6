// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/region"
)

var shadowed = &Analyzer{
	Name:  "shadowed",
	Doc:   "a rule that only applies where a prohibition forbids the call anyway",
	Help:  "Remove the rule, or narrow the prohibition.",
	Level: Warning,
	Run: func(p *Pass) {
		for i, r := range p.Set.Rules {
			for j, by := range p.Set.Rules {
				if i == j || by.Type != rules.Prohibition || r.JudgesReply() || r.JudgesResult() {
					continue
				}
				if r.Type == rules.Prohibition && i < j && p.hides(r, by) {
					continue // equal ones: the later is reported
				}
				if p.hides(by, r) {
					p.report(r, r.Pos, "", "rule %s has no effect: wherever it applies rule %s forbids the call", r.ID, by.ID).and(by)
					break
				}
			}
		}
	},
}

// hides reports whether the prohibition applies wherever r does.
func (p *Pass) hides(by, r *rules.Rule) bool {
	ways, own := p.Ways(by, region.OneMoment), p.Ways(r, region.OneMoment)
	if len(ways) == 0 || len(own) == 0 {
		return false
	}
	for _, w := range own {
		for _, c := range w.Where {
			if !c.Holds() {
				continue
			}
			if !slices.ContainsFunc(region.Call(ways, w.Tool), func(o region.Way) bool {
				return (o.On.By != rules.OriginDriver || w.On.By == rules.OriginDriver) && slices.ContainsFunc(o.Where, c.Implies)
			}) {
				return false
			}
		}
	}
	return true
}
