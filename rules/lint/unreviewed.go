// SPDX-License-Identifier: Apache-2.0

package lint

var unreviewed = &Analyzer{
	Name:  "unreviewed",
	Doc:   "a rule that a model wrote (origin: compiled) and nobody has taken over",
	Help:  "Read it, write its tests, and move it without origin: compiled to a file of its own.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			if r.Compiled {
				p.report(r, r.Pos, "read it, test it, and take origin: compiled out", "rule %s was written by a model", r.ID)
			}
		}
	},
}
