// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// owe adds the calls that a rule owes for a group of matches.
func (pl *planner) owe(r *rules.Rule, t triggerCall, e *env, group []rules.Match) bool {
	id := t.call.ID
	settle := func() {
		for _, m := range group {
			pl.settle(settledKey{r, id, m.Item})
		}
	}
	var owed []rules.OwedCall
	var evidence []rules.Evidence
	for _, m := range group {
		calls, err := r.Owed(e, &m)
		if err != nil || !pl.offered(calls) {
			settle()
			h := hold{kind: holdMissing, trigger: t.call.ID, rule: r, evidence: m.Evidence}
			if h.missing = pl.absentPart(r, calls); err != nil && h.missing == "" {
				h.kind = holdError
			}
			if t.idx >= 0 {
				pl.out.holds = append(pl.out.holds, h)
			}
			return false
		}
		owed = append(owed, calls...)
		evidence = append(evidence, m.Evidence...)
	}
	owed = pl.collapse(owed)
	if c := pl.against(r, t, owed); c != nil {
		settle()
		pl.out.conflicts = append(pl.out.conflicts, *c)
		return false
	}
	if done, ok := pl.clash(r, t, owed, evidence); done {
		settle()
		return ok
	}
	trigger, owner := t.call.ID, t.id()
	if len(pl.drop) > 0 { // without them less may be owed
		for _, id := range pl.drop {
			if i := indexCall(pl.out.calls, id); i >= 0 {
				pl.out.calls = slices.Delete(pl.out.calls, i, i+1)
				pl.out.dropped = append(pl.out.dropped, id)
			}
		}
		return true
	}
	at := 0
	if t.idx >= 0 {
		at = indexCall(pl.out.calls, trigger)
	}
	var add, with []vehicle.Call
	for _, o := range owed {
		if o.With {
			o.Call.ID, o.Call.Origin = pl.v.newID(), vehicle.ByRule
			with = append(with, o.Call)
			pl.out.added = append(pl.out.added, addition{call: o.Call, trigger: owner, rule: r, evidence: evidence, with: true})
			continue
		}
		moved := false
		if i := pl.laterInDraft(&o.Call, at); i >= 0 {
			o.Call, moved = pl.out.calls[i], true
			pl.out.calls = slices.Delete(pl.out.calls, i, i+1)
		} else {
			o.Call.ID, o.Call.Origin = pl.v.newID(), vehicle.ByRule
		}
		add = append(add, o.Call)
		pl.out.added = append(pl.out.added, addition{call: o.Call, trigger: owner, rule: r, evidence: evidence, moved: moved})
	}
	if len(with) > 0 && t.idx >= 0 {
		at = indexCall(pl.out.calls, trigger)
		pl.out.calls = slices.Insert(pl.out.calls, at+1, with...)
	} else {
		add = append(add, with...)
	}
	pl.out.calls = slices.Insert(pl.out.calls, at, add...)
	return true
}

func (t triggerCall) id() string {
	if t.idx < 0 {
		return ""
	}
	return t.call.ID
}

// laterInDraft finds the same call after the trigger: it only has to move.
func (pl *planner) laterInDraft(c *vehicle.Call, from int) int {
	want := c.Canonical()
	for i := from; i < len(pl.out.calls); i++ {
		if pl.out.calls[i].Tool == c.Tool && pl.out.calls[i].Canonical() == want {
			return i
		}
	}
	return -1
}

// offered reports whether every call can be made with the tools at hand.
func (pl *planner) offered(calls []rules.OwedCall) bool {
	for _, o := range calls {
		t := pl.v.cat.Tool(o.Call.Tool)
		if t == nil || len(t.Input.Validate(o.Call.Args)) > 0 {
			return false
		}
	}
	return true
}

// absentPart names what a rule needs and the catalog lacks.
func (pl *planner) absentPart(r *rules.Rule, calls []rules.OwedCall) string {
	for _, m := range r.Missing(pl.v.cat) {
		return m.String()
	}
	for _, o := range calls {
		t := pl.v.cat.Tool(o.Call.Tool)
		if t == nil {
			return o.Call.Tool
		}
		if vs := t.Input.Validate(o.Call.Args); len(vs) > 0 {
			return o.Call.Tool + ": " + vs[0].Text
		}
	}
	return ""
}

// collapse replaces one call per item by the collective call, when every item
// of the tool is owed the same and a member for all is declared.
func (pl *planner) collapse(owed []rules.OwedCall) []rules.OwedCall {
	if len(owed) < 2 {
		return owed
	}
	t := pl.v.cat.Tool(owed[0].Call.Tool)
	all, ok := t.Items.All()
	if !ok || len(t.Items.Arg) != 1 || len(owed) != len(t.Items.List()) {
		return owed
	}
	arg := t.Items.Arg[0].Name
	rest := owed[0].Call.Args.Without(arg)
	for _, o := range owed[1:] {
		if o.Call.Tool != t.Name || !o.Call.Args.Without(arg).Equal(rest) {
			return owed
		}
	}
	one := owed[0]
	one.Call.Args = one.Call.Args.With(arg, vehicle.TextOf(all))
	return []rules.OwedCall{one}
}
