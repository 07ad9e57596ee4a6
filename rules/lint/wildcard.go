// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
)

var wildcardMatchesNothing = &Analyzer{
	Name:  "wildcard-matches-nothing",
	Doc:   "a wildcard that stands for one signal only, or one whose elements are dropped because another pattern of the rule has no signal for them",
	Help:  "Name the one signal, or write two rules. A pattern that fits no signal at all is refused at load.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			r.Walk(func(l rules.Left) {
				f, ok := l.(*rules.FieldLeft)
				if !ok || !strings.Contains(f.Pattern, "*") {
					return
				}
				fits := f.Signals()
				if len(fits) == 1 {
					p.report(r, f.Pos(), "write its name", "rule %s: %s fits %s only", r.ID, f.Pattern, p.Catalog.Profile.Signals[fits[0].Signal].Name)
					return
				}
				if f.Items() == nil {
					return // gathered: all of them count
				}
				var lost []string
				for _, m := range fits {
					if !slices.Contains(f.Items(), m.Item) {
						lost = append(lost, m.Item)
					}
				}
				if lost != nil {
					p.report(r, f.Pos(), "another pattern of the rule has no signal for it", "rule %s is never judged for %s of %s", r.ID, strings.Join(lost, ", "), f.Pattern)
				}
			})
		}
	},
}
