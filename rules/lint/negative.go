// SPDX-License-Identifier: Apache-2.0

package lint

var noNegativeTest = &Analyzer{
	Name:  "no-negative-test",
	Doc:   "a rule that no test makes look and stay silent",
	Help:  "Add a test that comes near and is allowed: a rule that always fires is as wrong as one that never does.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			if p.Tests().Silent[r.ID] == 0 {
				p.report(r, r.Pos, "add one to its test file", "no test makes rule %s look and stay silent", r.ID)
			}
		}
	},
}
