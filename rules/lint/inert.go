// SPDX-License-Identifier: Apache-2.0

package lint

var inert = &Analyzer{
	Name:  "inert",
	Doc:   "a rule that no test of the bundle makes fire",
	Help:  "Add a test in which it fires: nobody has seen it work yet.",
	Level: Error,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			if p.Tests().Fired[r.ID] == 0 {
				p.report(r, r.Pos, "add one to its test file", "no test makes rule %s fire", r.ID)
			}
		}
	},
}
