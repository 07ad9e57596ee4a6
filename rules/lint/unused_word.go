// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
)

var unusedWord = &Analyzer{
	Name:  "unused-word",
	Doc:   "an entry of the lexicon that no rule looks for, says or fills in",
	Help:  "Remove it, or look for the misspelling: entries are found by their exact name.",
	Level: Warning,
	Run: func(p *Pass) {
		used := map[string]bool{}
		use := func(names ...string) {
			for _, n := range names {
				used[n], used[strings.ToLower(n)] = true, true
			}
		}
		for _, r := range p.Set.Rules {
			if r.Ask != nil {
				use(r.Ask.Warn...)
			}
			for _, t := range slices.Concat(r.Tell, r.Withhold) {
				use(t.Word)
			}
			r.Walk(func(l rules.Left) {
				switch l := l.(type) {
				case *rules.WantsLeft:
					use(l.Word)
				case *rules.ToldLeft:
					use(l.Word)
				}
			})
			use(r.Items()...)
			for _, s := range r.Say {
				use(p.spoken(r, s.Text)...)
			}
		}
		for _, s := range p.Catalog.Profile.Signals {
			use(s.Allowed...) // values that a disclosure or question may speak
		}
		for _, c := range p.Set.Cases {
			use(c.Prefers...)
			for _, t := range c.Turns {
				use(t.Wants...)
			}
		}
		for _, name := range p.Set.Lexicon.Names() {
			if e := p.Set.Lexicon.Entry(name); !used[name] {
				p.report(nil, e.Pos, "remove it", "nothing uses the word %s", name)
			}
		}
	},
}
