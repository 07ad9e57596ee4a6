// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/region"
	"github.com/carguardd/carguardd/vehicle"
)

var remedyViolates = &Analyzer{
	Name:  "remedy-violates",
	Doc:   "a rule whose remedy never helps: it leaves the rule's own condition standing, or another rule always stops it",
	Help:  "The call that triggers the rule is always held. Demand a value that satisfies it, or exempt the remedy from the other rule with by: driver.",
	Level: Error,
	Run: func(p *Pass) {
		told := map[*rules.Rule]bool{}
		for _, d := range p.duties() {
			if told[d.rule] {
				continue
			}
			if p.useless(&d) {
				told[d.rule] = true
				p.report(d.rule, d.rule.Owe[0].Pos, "", "rule %s still applies after what it demands was done", d.rule.ID)
				continue
			}
			for _, c := range d.calls {
				if by := p.stops(&d, c); by != nil && !told[d.rule] {
					told[d.rule] = true
					p.report(d.rule, d.rule.Owe[0].Pos, "", "rule %s demands %s, which rule %s always stops then", d.rule.ID, c.Canonical(), by.ID).and(by)
				}
			}
		}
	},
}

// useless reports whether the rule would demand the same again after its
// remedy. What looks at calls, words or results is not decided.
func (p *Pass) useless(d *duty) bool {
	if len(d.after) == 0 {
		return false
	}
	open := false
	d.rule.Walk(func(l rules.Left) {
		switch l := l.(type) {
		case *rules.CalledLeft, *rules.BatchLeft, *rules.ToldLeft, *rules.ConsentedLeft, *rules.CountLeft, *rules.DiffLeft:
			open = true
		case *rules.FieldLeft:
			open = open || l.At == rules.Seen || l.Signal(d.way.Item) == vehicle.NoSignal
		case *rules.ResultLeft:
			open = open || len(p.Catalog.Tool(l.Of).Returns) > 0 // a signal by another name
		}
	})
	return !open && outlives(d.where, d.after)
}

// stops is a rule that always stops a demanded call.
func (p *Pass) stops(d *duty, c vehicle.Call) *rules.Rule {
	before := d.onCall(c)
	for _, r := range p.Set.On(c.Tool) {
		for _, w := range region.Call(p.Ways(r, region.OneMoment), c.Tool) {
			if w.On.By == rules.OriginDriver || r == d.rule {
				continue
			}
			tests := append(r.Need, r.Must...)
			switch {
			case r.Type == rules.Prohibition:
				if slices.ContainsFunc(w.Where, before.Implies) {
					return r
				}
			case len(tests) > 0 && len(r.Owe) == 0 && slices.ContainsFunc(w.Where, before.Implies):
				kept, ok := region.Need(p.Catalog, r, tests, w.Item, true)
				if ok && !slices.ContainsFunc(kept, func(k region.Conj) bool { return before.With(k).Holds() }) {
					return r
				}
			}
		}
	}
	return nil
}
