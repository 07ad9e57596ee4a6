// SPDX-License-Identifier: Apache-2.0

package lint

import "github.com/carguardd/carguardd/rules"

var missingSay = &Analyzer{
	Name:  "missing-say",
	Doc:   "a rule that holds, asks or adds something and has no sentence for the driver",
	Help:  "Add say: with a sentence in each language; without one the driver hears a general phrase.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			if r.Say == nil && (r.Type != rules.Disclosure || r.By == rules.ByCommit) {
				p.report(r, r.Pos, "add say:", "rule %s has nothing to say to the driver", r.ID)
			}
		}
	},
}
