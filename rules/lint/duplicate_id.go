// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strings"

	"github.com/carguardd/carguardd/rules"
)

var duplicateID = &Analyzer{
	Name:  "duplicate-id",
	Doc:   "two rules whose ids differ in nothing that is heard or seen: case, or the signs between letters",
	Help:  "Give one of them another id. The same id twice is refused at load.",
	Level: Error,
	Run: func(p *Pass) {
		plain := strings.NewReplacer("-", "", "_", "", ".", "")
		first := map[string]*rules.Rule{}
		for _, r := range p.Set.Rules {
			key := plain.Replace(strings.ToLower(r.ID))
			if f := first[key]; f != nil {
				p.report(r, r.Pos, "rename one of the two", "rule %s is easily taken for rule %s", r.ID, f.ID).and(f)
				continue
			}
			first[key] = r
		}
	},
}
