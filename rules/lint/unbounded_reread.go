// SPDX-License-Identifier: Apache-2.0

package lint

import "github.com/carguardd/carguardd/rules"

var unboundedReread = &Analyzer{
	Name:  "unbounded-reread",
	Doc:   "a read whose arguments change from minute to minute, so that it is made again each time the rule is judged",
	Help:  "Ask by the hour, or read the latest result without with.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			r.Walk(func(l rules.Left) {
				res, ok := l.(*rules.ResultLeft)
				if !ok {
					return
				}
				for _, a := range res.With {
					if c, ok := a.Value.Left.(*rules.ContextLeft); ok && fleeting(c.Name) {
						p.report(r, a.Pos, "ask by the hour, or leave with out", "rule %s: a result of %s for %s is out of date a minute later, and is read again", r.ID, res.Of, c.Name)
					}
				}
			})
		}
	},
}

// fleeting reports whether the surroundings change within one conversation.
func fleeting(context string) bool {
	switch context {
	case "now.minute", "here.latitude", "here.longitude":
		return true
	}
	return false
}
