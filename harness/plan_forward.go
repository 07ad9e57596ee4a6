// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// forward looks for calls of the draft that do what the rule owes, but only
// after its trigger. In the end nothing is missing then, and still the trigger
// would be carried out before what it takes: they are moved in front of it. Calls of one
// tool keep their order. It reports whether the plan changed.
func (pl *planner) forward(r *rules.Rule, t triggerCall) bool {
	if r.Type != rules.AutoAction || t.idx < 0 || t.reply {
		return false
	}
	for _, o := range r.Owe {
		if !o.With && pl.ahead(r, t, o.Call) {
			return true
		}
	}
	return false
}

// ahead moves as few of the later calls of the tool as it takes for something
// that the rule finds wrong at its trigger to be right there.
func (pl *planner) ahead(r *rules.Rule, t triggerCall, tool string) bool {
	calls := pl.out.calls
	var late []vehicle.Call
	var wrong []rules.Match
	for j := t.idx + 1; j < len(calls); j++ {
		if calls[j].Tool != tool {
			continue
		}
		if late == nil {
			if wrong = pl.wrongAt(r, calls[:t.idx+1]); len(wrong) == 0 {
				return false
			}
		}
		late = append(late, calls[j])
		left := pl.wrongAt(r, slices.Concat(calls[:t.idx], late, calls[t.idx:t.idx+1]))
		if len(left) >= len(wrong) {
			continue
		}
		trigger := t.call.ID
		for _, c := range late {
			at := indexCall(pl.out.calls, c.ID)
			pl.out.calls = slices.Delete(pl.out.calls, at, at+1)
			pl.out.calls = slices.Insert(pl.out.calls, indexCall(pl.out.calls, trigger), c)
			pl.out.ahead = append(pl.out.ahead, addition{call: c, trigger: trigger, rule: r, evidence: wrong[0].Evidence, moved: true})
		}
		return true
	}
	return false
}

// wrongAt returns the matches of the rule at the last of the calls, as if the
// draft ended there.
func (pl *planner) wrongAt(r *rules.Rule, calls []vehicle.Call) []rules.Match {
	pl.cut.project(pl.v.facts, calls)
	last := len(calls) - 1
	e := &env{v: pl.v, p: &pl.cut, trigger: &calls[last], idx: last}
	return slices.DeleteFunc(r.Matches(e), func(m rules.Match) bool { return m.Truth != rules.True })
}
