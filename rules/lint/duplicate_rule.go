// SPDX-License-Identifier: Apache-2.0

package lint

import "github.com/carguardd/carguardd/rules"

var duplicateRule = &Analyzer{
	Name:  "duplicate-rule",
	Doc:   "two rules that apply at the same times and do the same",
	Help:  "Remove one of them.",
	Level: Warning,
	Run: func(p *Pass) {
		first := map[string]*rules.Rule{}
		for _, r := range p.Set.Rules {
			key := r.Fingerprint()
			if f := first[key]; f != nil {
				p.report(r, r.Pos, "remove one of the two", "rule %s says the same as rule %s", r.ID, f.ID).and(f)
				continue
			}
			first[key] = r
		}
	},
}
