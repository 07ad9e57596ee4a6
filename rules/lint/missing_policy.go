// SPDX-License-Identifier: Apache-2.0

package lint

var missingPolicy = &Analyzer{
	Name:  "missing-policy",
	Doc:   "a rule that does not quote the sentence of policy.md that it comes from",
	Help:  "Add policy: and the sentence, word by word: coverage is counted by it.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			if r.Policy == "" {
				p.report(r, r.Pos, "add policy: and the sentence of policy.md", "rule %s quotes no sentence of the policy", r.ID)
			}
		}
	},
}
