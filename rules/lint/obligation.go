// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/region"
	"github.com/carguardd/carguardd/vehicle"
)

// duty is one way in which a rule comes to demand calls: under which
// conditions, which calls, and what they leave the signals at.
type duty struct {
	rule  *rules.Rule
	way   region.Way
	where region.Conj
	calls []vehicle.Call
	after map[string]vehicle.Value // by signal name; unknown: anything
}

// duties lists what the rules demand, as far as the arguments are known
// before the moment.
func (p *Pass) duties() []duty {
	var out []duty
	for _, r := range p.Set.Rules {
		if len(r.Owe) == 0 {
			continue
		}
		for _, w := range p.Ways(r, region.OneMoment) {
			d := duty{rule: r, way: w, after: map[string]vehicle.Value{}}
			if !p.demand(&d) {
				continue
			}
			for _, c := range p.occasions(r, w) {
				if c.Holds() {
					d.where = c
					out = append(out, d)
				}
			}
		}
	}
	return out
}

// occasions are the conditions under which the rule owes: its own, and for a
// precondition that what it needs does not hold.
func (p *Pass) occasions(r *rules.Rule, w region.Way) []region.Conj {
	if r.Type != rules.Precondition {
		return w.Where
	}
	broken, ok := region.Need(p.Catalog, r, r.Need, w.Item, false)
	if !ok {
		return nil
	}
	var out []region.Conj
	for _, c := range w.Where {
		for _, b := range broken {
			out = append(out, c.With(b))
		}
	}
	return out
}

// demand writes the calls of a duty and what they do.
func (p *Pass) demand(d *duty) bool {
	for _, o := range d.rule.Owe {
		t := p.Catalog.Tool(o.Call)
		args, ok := o.Fixed(d.rule, d.way.Item)
		if t == nil || !ok {
			return false
		}
		d.calls = append(d.calls, vehicle.Call{Tool: o.Call, Args: args})
		as, err := t.Effects(args, nil)
		for _, a := range as {
			v := a.Value
			if err != nil || a.Op != vehicle.Set {
				v = vehicle.Value{}
			}
			d.after[p.Catalog.Profile.Signals[a.Signal].Name] = v
		}
	}
	return true
}

// outlives reports whether the conditions may still hold when signals have
// the values after. It says no where it cannot tell.
func outlives(where region.Conj, after map[string]vehicle.Value) bool {
	left := maps.Clone(where)
	for _, name := range slices.Sorted(maps.Keys(after)) {
		field := region.Field(name)
		for key := range where {
			if key != field && strings.HasPrefix(key, field) && !strings.HasPrefix(key, field+"_") {
				return false // compared with something that moves
			}
		}
		s, ok := left[field]
		if !ok {
			continue
		}
		if v := after[name]; v.Known() {
			left[field] = s.And(region.One(v))
		}
	}
	return left.Holds()
}

// onCall are the conditions of another rule as they are for a call of this
// duty: what the arguments of the trigger were does not matter any more.
func (d *duty) onCall(c vehicle.Call) region.Conj {
	out := region.Conj{}
	for name, s := range d.where {
		if !strings.Contains(name, "arg: ") {
			out[name] = s
		}
	}
	return out.With(region.Given(c.Args))
}
