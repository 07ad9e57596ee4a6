// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

var failOpen = &Analyzer{
	Name:  "fail-open",
	Doc:   "a rule that guards a write and lets it pass when the rule cannot be judged: unknown, error or absent is allow",
	Help:  "Write ask, refuse or hold; allow is right only where the guarded call does no harm.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			if r.Type == rules.Disclosure || !p.guardsWrite(r) {
				continue
			}
			var keys []string
			for _, k := range []struct {
				name  string
				class rules.Class
			}{{"unknown", r.Unknown}, {"error", r.Error}, {"absent", r.Absent}} {
				if k.class == rules.ClassAllow {
					keys = append(keys, k.name)
				}
			}
			if keys != nil {
				p.report(r, r.Pos, "a write that nobody could judge goes out", "rule %s says allow for %s", r.ID, strings.Join(keys, " and "))
			}
		}
	},
}

func (p *Pass) guardsWrite(r *rules.Rule) bool {
	return slices.ContainsFunc(r.Triggers(), func(name string) bool {
		t := p.Catalog.Tool(name)
		return t != nil && t.Access == vehicle.Write
	})
}
