// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// park takes the packages that the driver is asked about out of the draft: a
// package is a drafted call with all that is owed for it.
func (t *talk) park() bool {
	waiting := func(e *entry) bool {
		return slices.ContainsFunc(t.draft, func(o *entry) bool { return o.asked && o.root() == e.root() })
	}
	var rest, parked []*entry
	for _, e := range t.draft {
		if !e.held && waiting(e) {
			parked = append(parked, e)
		} else {
			rest = append(rest, e)
		}
	}
	t.draft, t.pending = rest, append(t.pending, parked...)
	return parked != nil
}

// execute sends the draft to the car, but for what was held.
func (t *talk) execute() (done []*entry) {
	failed := map[*entry]bool{}
	for _, e := range t.draft {
		tool := t.cat.Tool(e.call.Tool)
		switch {
		case e.held || tool == nil:
		case failed[e]:
			t.out.Held = append(t.out.Held, Held{"", *e.call, "what it depends on failed"})
		case slices.Contains(t.fails, e.call.Tool):
			for c := e.cause; c != nil; c = c.cause {
				failed[c] = true
			}
			t.env.Results = append(t.env.Results, Result{Call: *e.call, Failed: true, At: t.env.Clock})
		default:
			t.send(e, tool)
			done = append(done, e)
		}
	}
	return done
}

func (t *talk) send(e *entry, tool *vehicle.Tool) {
	if tool.Access != vehicle.Read {
		as, _ := tool.Effects(e.call.Args, nil)
		t.world.Apply(as)
		for _, a := range as {
			t.seen[a.Signal] = a.Op != vehicle.Forget
		}
		t.out.Calls = append(t.out.Calls, *e.call)
	}
	t.result(*e.call)
	t.env.Past = append(t.env.Past, Past{Call: *e.call, At: t.env.Clock, Turn: true})
	// A yes is for one call, once.
	if i := slices.IndexFunc(t.env.Yes, func(y vehicle.Call) bool { return y.Canonical() == e.call.Canonical() }); i >= 0 {
		t.env.Yes = slices.Delete(t.env.Yes, i, i+1)
	}
}

// after judges the rules on results. What they owe is the next draft.
func (t *talk) after(done []*entry) error {
	for range maxPasses {
		t.draft = nil
		t.batch()
		for _, e := range done {
			for again := true; again; {
				var err error
				if again, err = t.judge(e, t.set.OnResult(e.call.Tool)); err != nil {
					return err
				}
				again = again && len(t.draft) == 0
			}
		}
		if len(t.draft) == 0 {
			return nil
		}
		if err := t.settle(); err != nil {
			return err
		}
		done = t.execute()
	}
	return nil
}

// reply judges the rules on replies. What they owe goes out before it.
func (t *talk) reply() error {
	for range maxPasses {
		t.draft = nil
		t.batch()
		changed, err := t.judge(nil, t.set.OnReply())
		if err != nil || !changed {
			return err
		}
		if err := t.settle(); err != nil {
			return err
		}
		t.execute()
	}
	return nil
}

// disclose collects what still has to be said after the calls that went out,
// their results and the reply.
func (t *talk) disclose(done []*entry) {
	t.draft = nil
	t.batch()
	judge := func(rs []*rules.Rule, call *vehicle.Call) {
		t.env.Call = call
		for _, r := range rs {
			if r.Type != rules.Disclosure {
				continue
			}
			t.watched(r)
			if truth, _, _ := r.Triggered(&t.env); truth != rules.True {
				continue
			}
			for _, m := range r.Matches(&t.env) {
				if m.Truth == rules.True {
					t.tell(r, &m)
				}
			}
		}
		t.env.Call = nil
	}
	for _, e := range done {
		judge(t.set.On(e.call.Tool), e.call)
		judge(t.set.OnResult(e.call.Tool), e.call)
	}
	if t.env.Text != "" {
		judge(t.set.OnReply(), nil)
	}
}

// tell notes what the rule wants said and was not, or kept back and was. It
// reports whether there is any.
func (t *talk) tell(r *rules.Rule, m *rules.Match) bool {
	open := false
	for _, x := range r.Tells(&t.env, t.set, m) {
		if x.OK() {
			continue
		}
		open = true
		t.fired(r.ID)
		told := Told{By: r.ID, Value: x.Value, Withheld: x.Withheld}
		if x.Word != nil {
			told.Word = x.Word.Name
		}
		if !slices.ContainsFunc(t.out.Told, func(o Told) bool {
			return o.By == told.By && o.Word == told.Word && o.Withheld == told.Withheld && o.Value.Equal(told.Value)
		}) {
			t.out.Told = append(t.out.Told, told)
		}
	}
	return open
}
