// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// against finds calls of the same utterance that an owed call would undo:
// both cannot be had, so the driver decides between two exact packages.
func (pl *planner) against(r *rules.Rule, t triggerCall, owed []rules.OwedCall) *conflict {
	c := conflict{trigger: t.call.ID, rule: r}
	pl.drop = pl.drop[:0]
	for _, o := range owed {
		c.owed = append(c.owed, o.Call)
		pl.as = assigns(pl.v.cat.Tool(o.Call.Tool), &o.Call, pl.as[:0])
		for i := range pl.out.calls {
			d := &pl.out.calls[i]
			if d.Origin != vehicle.ByStudent || pl.p.tools[i] == nil || d == t.call {
				continue
			}
			switch {
			case !pl.undoes(d, pl.p.tools[i]):
			case !pl.v.requested(d):
				// The student's own idea, not the driver's: the rule wins silently.
				pl.drop = append(pl.drop, d.ID)
			case !slices.Contains(c.against, d.ID):
				c.against = append(c.against, d.ID)
			}
		}
		for i := range pl.v.facts.done {
			d := &pl.v.facts.done[i]
			if d.turn != pl.v.turn || !d.write || !d.result.OK() || d.call.Origin != vehicle.ByStudent {
				continue
			}
			dt := pl.v.cat.Tool(d.call.Tool)
			if dt != nil && pl.undoes(&d.call, dt) && pl.v.requested(&d.call) && !slices.Contains(c.against, d.call.ID) {
				c.against, c.ran = append(c.against, d.call.ID), true
			}
		}
	}
	if len(c.against) == 0 {
		return nil
	}
	pl.drop = pl.drop[:0]
	return &c
}

// undoes reports whether pl.as gives a signal another value than the call
// does.
func (pl *planner) undoes(c *vehicle.Call, t *vehicle.Tool) bool {
	pl.bs = assigns(t, c, pl.bs[:0])
	for _, a := range pl.as {
		for _, b := range pl.bs {
			if a.Signal == b.Signal && a.Op == vehicle.Set && b.Op == vehicle.Set && !a.Value.Equal(b.Value) {
				return true
			}
		}
	}
	return false
}

// clash settles an owed call against one that another rule already put into
// the plan for the same signal: the one call that satisfies both stays. It
// reports whether there was a clash, and whether the plan changed.
func (pl *planner) clash(r *rules.Rule, t triggerCall, owed []rules.OwedCall, ev []rules.Evidence) (found, changed bool) {
	for _, o := range owed {
		pl.as = assigns(pl.v.cat.Tool(o.Call.Tool), &o.Call, pl.as[:0])
		for n := range pl.out.added {
			a := &pl.out.added[n]
			i := indexCall(pl.out.calls, a.call.ID)
			if i < 0 || a.rule == r || !pl.undoes(&a.call, pl.v.cat.Tool(a.call.Tool)) {
				continue
			}
			// The newer demand was found with the older one in place, so the older
			// does not satisfy it. Does the newer satisfy the older?
			old := pl.out.calls[i]
			o.Call.ID, o.Call.Origin = old.ID, vehicle.ByRule
			pl.out.calls[i] = o.Call
			pl.p.project(pl.v.facts, pl.out.calls)
			if pl.satisfied(a) {
				both := *a // the older rule still demands it
				a.call, a.rule, a.evidence = o.Call, r, ev
				both.call = o.Call
				pl.out.added = append(pl.out.added, both)
				return true, true
			}
			pl.out.calls[i] = old
			pl.p.project(pl.v.facts, pl.out.calls)
			pl.out.holds = append(pl.out.holds, hold{kind: holdClash, trigger: t.call.ID, rule: r, other: a.rule})
			return true, false
		}
	}
	return false, false
}

// satisfied reports whether the rule that made an addition has nothing left
// to demand under the current projection.
func (pl *planner) satisfied(a *addition) bool {
	i := indexCall(pl.out.calls, a.trigger)
	if i < 0 {
		return true
	}
	e := &env{v: pl.v, p: &pl.p, trigger: &pl.out.calls[i], idx: i}
	for _, m := range a.rule.Matches(e) {
		if a.rule.Type == rules.Precondition && m.Truth == rules.True {
			m = unmet(a.rule, e, m)
		}
		if m.Truth != rules.False {
			return false
		}
	}
	return true
}

func indexCall(calls []vehicle.Call, id string) int {
	return slices.IndexFunc(calls, func(c vehicle.Call) bool { return c.ID == id })
}
