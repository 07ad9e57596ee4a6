// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/region"
	"github.com/carguardd/carguardd/vehicle"
)

var remedyLoop = &Analyzer{
	Name:  "remedy-loop",
	Doc:   "rules whose remedies trigger each other without end",
	Help:  "Break the circle: add a condition under which one of them is content, or exempt remedies with by: driver.",
	Level: Error,
	Run: func(p *Pass) {
		l := &loops{pass: p, duties: p.duties(), told: map[string]bool{}}
		for i := range l.duties {
			l.follow(&l.duties[i], []*duty{&l.duties[i]}, l.duties[i].after)
		}
	},
}

// maxChain bounds how far remedies of remedies are followed.
const maxChain = 8

type loops struct {
	pass   *Pass
	duties []duty
	told   map[string]bool
}

// follow looks for duties that the calls of the last one of the chain bring
// about, when signals are what the chain left them at.
func (l *loops) follow(d *duty, chain []*duty, after map[string]vehicle.Value) {
	if len(chain) > maxChain {
		return
	}
	for _, c := range d.calls {
		given := d.onCall(c)
		for i := range l.duties {
			next := &l.duties[i]
			if next.way.Tool != c.Tool || next.way.On.By == rules.OriginDriver || !l.fits(next, given) || !outlives(next.where, after) {
				continue
			}
			if at := slices.IndexFunc(chain, func(x *duty) bool { return x.rule == next.rule }); at >= 0 {
				l.report(chain[at:])
				continue
			}
			l.follow(next, append(slices.Clone(chain), next), merged(after, next.after))
		}
	}
}

// fits reports whether the arguments of the call pass what the duty waits
// for.
func (l *loops) fits(d *duty, given region.Conj) bool {
	for name, s := range d.where {
		if g, ok := given[name]; ok && strings.HasPrefix(name, "arg: ") && s.And(g).Empty() {
			return false
		}
	}
	return true
}

func (l *loops) report(circle []*duty) {
	var ids []string
	for _, d := range circle {
		ids = append(ids, d.rule.ID)
	}
	key := slices.Clone(ids)
	slices.Sort(key)
	if k := strings.Join(key, " "); l.told[k] {
		return
	} else {
		l.told[k] = true
	}
	first := circle[0].rule
	f := l.pass.report(first, first.Pos, "", "what the rules demand goes on for ever: %s, and %s again", strings.Join(ids, ", then "), ids[0])
	for _, d := range circle[1:] {
		f.and(d.rule)
	}
}
