// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// maxPasses bounds how often a draft is judged anew. Each pass adds a call or
// a read or holds a call; rules that go on owing are a loop in the bundle.
const maxPasses = 200

// settle judges the draft until nothing changes. Packages that the driver is
// asked about are taken out then, and what is left is judged without them.
func (t *talk) settle() error {
	for range maxPasses {
		changed, err := t.pass()
		if err != nil || !changed && !t.park() {
			return err
		}
	}
	return fmt.Errorf("the rules go on demanding after %d passes", maxPasses)
}

// pass judges every call of the draft. It stops at the first change of the
// draft or of what is known.
func (t *talk) pass() (changed bool, err error) {
	t.batch()
	for _, e := range slices.Clone(t.draft) {
		if e.held {
			continue
		}
		if changed, err := t.judge(e, t.set.On(e.call.Tool)); changed || err != nil {
			return changed, err
		}
	}
	return false, nil
}

func (t *talk) batch() {
	t.env.Draft = t.env.Draft[:0]
	for _, e := range t.draft {
		if !e.held {
			t.env.Draft = append(t.env.Draft, e.call)
		}
	}
}

// judge applies the rules to one call, or to the reply when e is nil. A held
// call changes the draft once all its rules were judged.
func (t *talk) judge(e *entry, rs []*rules.Rule) (changed bool, err error) {
	t.env.Call, t.doomed = nil, nil
	if e != nil {
		t.env.Call = e.call
	}
	defer func() { t.env.Call = nil }()
	for _, r := range rs {
		t.watched(r)
		truth, _, wants := r.Triggered(&t.env)
		if truth == rules.False {
			t.looked(r.ID)
			continue
		}
		if truth == rules.Unknown {
			if t.read(wants) {
				return true, nil
			}
			t.unknown(r, e, wants)
			continue
		}
		t.looked(r.ID)
		for _, m := range r.Matches(&t.env) {
			changed, err := t.match(r, e, &m)
			if changed || err != nil {
				return changed, err
			}
		}
	}
	return t.sentence(), nil
}

// match carries out one match of a rule.
func (t *talk) match(r *rules.Rule, e *entry, m *rules.Match) (changed bool, err error) {
	if m.Truth == rules.Unknown {
		if t.read(m.Wants) {
			return true, nil
		}
		if slices.ContainsFunc(m.Wants, func(w rules.Want) bool { return w.Why == rules.OwnWrite }) {
			return false, nil // to be read after it
		}
		t.unknown(r, e, m.Wants)
		return false, nil
	}
	switch r.Type {
	case rules.AutoAction:
		return t.owe(r, e, m)
	case rules.Precondition, rules.Constraint:
		return t.need(r, e, m)
	case rules.Confirmation:
		t.confirm(r, e)
	case rules.Prohibition:
		t.hold(e, r.ID, "forbidden")
	case rules.Selection:
		truth, _, wants := r.Chooses(&t.env, m)
		switch truth {
		case rules.False:
			t.hold(e, r.ID, "another is to be chosen")
		case rules.Unknown:
			if t.read(wants) {
				return true, nil
			}
			t.unknown(r, e, wants)
		}
	case rules.Disclosure:
		if e != nil && t.read(r.Unheard(&t.env, m)) {
			return true, nil
		}
		if r.By == rules.ByCommit && e != nil && t.tell(r, m) {
			t.hold(e, r.ID, "something has to be said first")
		}
	}
	return false, nil
}

// unknown does what the rule says about what nobody can know.
func (t *talk) unknown(r *rules.Rule, e *entry, wants []rules.Want) {
	if e == nil || r.Type == rules.Disclosure {
		return
	}
	if slices.ContainsFunc(wants, func(w rules.Want) bool { return w.Why == rules.Absent }) {
		if r.Absent == rules.ClassHold {
			t.hold(e, r.ID, "what it has to know is not offered")
		}
		return
	}
	switch r.Unknown {
	case rules.ClassAsk:
		t.confirm(r, e)
	case rules.ClassRefuse:
		t.hold(e, r.ID, "not known")
	}
}

func (t *talk) need(r *rules.Rule, e *entry, m *rules.Match) (changed bool, err error) {
	truth, _, wants := r.Needs(&t.env, m)
	switch {
	case truth == rules.True:
	case truth == rules.Unknown:
		if t.read(wants) {
			return true, nil
		}
		t.unknown(r, e, wants)
	case len(r.Owe) > 0:
		return t.owe(r, e, m)
	case r.AtMost > 0:
		t.fired(r.ID)
		t.deferred, e.asked = append(t.deferred, e), false
		t.out.Asked = slices.DeleteFunc(t.out.Asked, func(a Asked) bool { return a.Call.ID == e.call.ID })
		t.draft = slices.DeleteFunc(t.draft, func(o *entry) bool { return o == e })
		t.drop(e)
		return true, nil
	default:
		t.hold(e, r.ID, "a condition is not met")
	}
	return false, nil
}

// confirm asks about the call unless the driver has said yes to it.
func (t *talk) confirm(r *rules.Rule, e *entry) {
	if t.env.Consented(e.call) {
		return
	}
	t.fired(r.ID)
	e.asked = true
	ask := r.Asks(&t.env, t.set)
	a := Asked{By: r.ID, Call: *e.call, Naming: ask.Naming}
	for _, w := range ask.Warn {
		a.Warn = append(a.Warn, w.Name)
	}
	if !slices.ContainsFunc(t.out.Asked, func(o Asked) bool { return o.By == a.By && o.Call.ID == a.Call.ID }) {
		t.out.Asked = append(t.out.Asked, a)
	}
}

// owe puts the calls that the rule demands into the draft.
func (t *talk) owe(r *rules.Rule, e *entry, m *rules.Match) (changed bool, err error) {
	calls, err := r.Owed(&t.env, m)
	if err != nil {
		if e == nil || r.Absent == rules.ClassAllow {
			return false, nil
		}
		t.hold(e, r.ID, err.Error())
		return false, nil
	}
	t.fired(r.ID)
	for _, c := range calls {
		if e != nil && t.barred(c.Call) {
			t.hold(e, r.ID, "what it demands must not be done")
			return false, nil
		}
		if e != nil && t.undone(r, e, &c.Call) {
			return false, nil
		}
		t.insert(c, e)
		changed = true
	}
	return changed, nil
}

// barred reports whether the call was held in this turn: owing it again would
// go on for ever.
func (t *talk) barred(c vehicle.Call) bool {
	return slices.ContainsFunc(t.out.Held, func(h Held) bool { return h.Call.Canonical() == c.Canonical() })
}

// undone reports whether the call is owed though it stands in the draft
// already: another call undoes it. Both that and the trigger are held; which
// of the two the driver wants is for the driver to say.
func (t *talk) undone(r *rules.Rule, e *entry, owed *vehicle.Call) bool {
	if !slices.ContainsFunc(t.draft, func(o *entry) bool { return o.cause != nil && t.covers(o.call, owed) }) {
		return false
	}
	t.hold(e, r.ID, "what it demands is undone in the same draft")
	for _, o := range t.draft {
		if o != e && o.cause == nil && t.touch(o.call, owed) {
			t.hold(o, r.ID, "it undoes what "+e.call.Tool+" demands")
		}
	}
	return true
}

// insert places an owed call: before its trigger, or at the end. An earlier
// owed call whose effect it replaces goes.
func (t *talk) insert(c rules.OwedCall, trigger *entry) {
	t.calls++
	call := c.Call
	call.ID = fmt.Sprintf("c%d", t.calls)
	e := &entry{call: &call, cause: trigger}
	t.draft = slices.DeleteFunc(t.draft, func(o *entry) bool { return o.cause != nil && t.replaces(&call, o.call) })
	at := len(t.draft)
	if i := slices.Index(t.draft, trigger); i >= 0 && !c.With {
		at = i
	}
	t.draft = slices.Insert(t.draft, at, e)
	t.collapse(e)
}

// drop takes a held call's owed calls out of the draft.
func (t *talk) drop(held *entry) {
	t.draft = slices.DeleteFunc(t.draft, func(e *entry) bool {
		for c := e.cause; c != nil; c = c.cause {
			if c == held {
				return true
			}
		}
		return false
	})
}
