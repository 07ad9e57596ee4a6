// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/region"
	"github.com/carguardd/carguardd/vehicle"
)

var alwaysMatches = &Analyzer{
	Name:  "always-matches",
	Doc:   "a comparison that every known value passes, so that it decides nothing",
	Help:  "Leave it out; to ask only that there is a value, write known: true.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			r.Tests(func(t *rules.Test) {
				if s, ok := region.Passing(t); ok && t.Op != rules.Known && !optional(p.Catalog, r, t) && region.Domain(t).Known().Within(s) {
					p.report(r, t.Pos, "leave it out, or write known: true", "rule %s: %s is always %s", r.ID, t.Left.Label(""), opText(t))
				}
			})
		}
	},
}

// optional reports whether the test looks at an argument that may be absent:
// then it also asks whether it is there.
func optional(cat *vehicle.Catalog, r *rules.Rule, t *rules.Test) bool {
	a, ok := t.Left.(*rules.ArgLeft)
	if !ok {
		return false
	}
	for _, name := range r.Triggers() {
		tool := cat.Tool(name)
		p, err := vehicle.ParsePath(a.Path)
		if tool == nil || tool.Input == nil || err != nil || len(p) != 1 {
			return true
		}
		s := tool.Input.At(p)
		if s == nil || !tool.Input.Requires(a.Path) && s.Default.Kind() == vehicle.Unknown {
			return true
		}
	}
	return false
}
