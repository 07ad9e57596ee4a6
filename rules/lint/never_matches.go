// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/region"
)

var neverMatches = &Analyzer{
	Name:  "never-matches",
	Doc:   "a rule, or an alternative of its on, whose conditions exclude each other, or whose need or must holds whenever it applies",
	Help:  "Look at the value that is named: no value of it passes all conditions.",
	Level: Error,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			out := false
			r.Tests(func(t *rules.Test) { out = out || impossible(t) })
			if out {
				continue // out-of-range says it better
			}
			if ways := p.Ways(r, region.TwoMoments); len(ways) > 0 && !p.dead(r, ways) {
				p.idle(r)
			}
		}
	},
}

// dead reports a rule or the alternatives of it that never apply.
func (p *Pass) dead(r *rules.Rule, ways []region.Way) bool {
	alive := map[*rules.On]bool{}
	clash := map[*rules.On]string{}
	for _, w := range ways {
		for _, c := range w.Where {
			if c.Holds() {
				alive[w.On] = true
			} else {
				clash[w.On] = c.Clash()
			}
		}
	}
	for _, o := range r.On {
		switch {
		case alive[o]:
		case len(alive) == 0:
			p.report(r, r.Pos, "", "rule %s never matches: its conditions leave nothing for %s", r.ID, clash[o])
			return true
		default:
			p.report(r, o.Pos, "remove the alternative, or mend it", "rule %s: this alternative never matches: the conditions leave nothing for %s", r.ID, clash[o])
		}
	}
	return false
}

// idle reports a precondition or constraint that is kept whenever it applies.
func (p *Pass) idle(r *rules.Rule) {
	tests := append(r.Need, r.Must...)
	if len(tests) == 0 {
		return
	}
	for _, w := range p.Ways(r, region.OneMoment) {
		broken, ok := region.Need(p.Catalog, r, tests, w.Item, false)
		if !ok {
			return
		}
		for _, c := range w.Where {
			for _, b := range broken {
				if c.With(b).Holds() {
					return
				}
			}
		}
	}
	p.report(r, tests[0].Pos, "", "rule %s never finds anything: what it asks for holds whenever it applies", r.ID)
}
