// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// maxOwed bounds how many calls rules may add to one draft. A draft that
// would grow further is a loop of rules, and its trigger is held.
const maxOwed = 32

// plan is what the rules require of a draft: the draft with every owed call in
// its place, and everything that keeps a trigger from being carried out. It
// is the least fixed point of: project, find a violated rule, add what it
// owes.
type plan struct {
	calls     []vehicle.Call // the draft with all that is owed
	added     []addition
	ahead     []addition // calls of the draft that go in front of a trigger, which they stood behind
	waits     []waiting  // triggers that need a read first
	holds     []hold     // triggers that must not go, and why
	conflicts []conflict // an owed call against another call of the same utterance
	dropped   []string   // calls nobody asked for, which an owed call would undo
	defers    []deferral // triggers that wait for the next draft
}

// deferral is a trigger whose rule can only be judged once an earlier call of
// the draft was carried out and its effect was read.
type deferral struct {
	trigger  string
	rule     *rules.Rule
	evidence []rules.Evidence
}

// opener reports whether one of the calls left open what could not be judged.
func opener(ev []rules.Evidence, calls []vehicle.Call) bool {
	return slices.ContainsFunc(ev, func(e rules.Evidence) bool {
		return e.Truth == rules.Unknown && e.Why == rules.OwnWrite && indexCall(calls, e.CallID) >= 0
	})
}

// addition is one call that a rule put into the plan.
type addition struct {
	call     vehicle.Call
	trigger  string // call id of what it is owed for; empty: a call of an earlier step
	rule     *rules.Rule
	evidence []rules.Evidence
	moved    bool // it was in the draft already, but too late
	with     bool // anywhere in the draft: it goes after its trigger
}

// waiting is a trigger whose rule cannot be judged before a read.
type waiting struct {
	trigger  string
	rule     *rules.Rule
	evidence []rules.Evidence
	wants    []rules.Want
}

// holdKind says why a trigger is held.
type holdKind uint8

const (
	holdUnknown holdKind = iota // an item is unknown, and no read will tell
	holdMissing                 // the remedy, or a part of it, is not offered
	holdClash                   // two rules want different values of one signal
	holdError                   // the rule could not be evaluated
)

// hold is a trigger that must not be carried out as things are.
type hold struct {
	kind     holdKind
	trigger  string
	rule     *rules.Rule
	other    *rules.Rule // the second rule of a clash
	evidence []rules.Evidence
	missing  string // what is not offered
}

// conflict is an owed call that would undo what the same utterance asked for.
type conflict struct {
	trigger string
	rule    *rules.Rule
	owed    []vehicle.Call
	against []string // call ids
	ran     bool     // the calls against it were carried out already
}

// planner computes the plan of one draft.
type planner struct {
	v       *View
	p       projection
	out     *plan
	settled map[settledKey]bool
	as, bs  []vehicle.Assignment
	drop    []string     // calls that the next owed call replaces
	spoken  vehicle.Call // stands for a reply as the trigger: it has no id
	base    projection   // the facts without the draft
	cut     projection   // of a draft that ends with a trigger
}

type settledKey struct {
	rule    *rules.Rule
	trigger string
	item    string
}

// triggerCall is one call that may trigger rules: a call of the draft, or one
// that ran earlier and still binds.
type triggerCall struct {
	call  *vehicle.Call
	idx   int // in the draft, or -1
	past  vehicle.State
	rule  *rules.Rule // for one that ran earlier: the rule it still binds
	late  bool        // nothing could be read before the trigger: it is a result, or a reply
	reply bool        // the draft's text is the trigger; call is empty
	met   bool        // it was discharged: only what the draft violates anew counts
}

func (v *View) makePlan(calls []vehicle.Call) *plan {
	out := &plan{calls: slices.Clone(calls)}
	pl := &v.planner
	pl.v, pl.out = v, out
	clear(pl.settled)
	defer func() { pl.out = nil }()
	for range maxOwed {
		pl.p.project(v.facts, out.calls)
		if !pl.advance() {
			return out
		}
	}
	for _, a := range out.added {
		out.holds = append(out.holds, hold{kind: holdClash, trigger: a.trigger, rule: a.rule, other: a.rule})
	}
	return out
}

// advance adds what the first violated rule owes. It reports whether the plan
// changed and must be projected again.
func (pl *planner) advance() bool {
	for i := range pl.out.calls {
		c := &pl.out.calls[i]
		if pl.p.tools[i] == nil || pl.p.tools[i].Access != vehicle.Write {
			continue
		}
		for _, r := range pl.v.set.On(c.Tool) {
			if pl.judge(r, triggerCall{call: c, idx: i}) {
				return true
			}
		}
	}
	for _, b := range pl.v.bound {
		if b.active(pl.v.facts) && pl.judge(b.rule, triggerCall{call: &b.call, idx: -1, past: b.before, rule: b.rule, late: b.late, met: b.met}) {
			return true
		}
	}
	if !pl.v.speaks() {
		return false
	}
	for _, r := range pl.v.set.OnReply() {
		if pl.judge(r, triggerCall{call: &pl.spoken, idx: -1, reply: true, late: true}) {
			return true
		}
	}
	return false
}

// judge evaluates one rule on one trigger and adds what it owes. A rule that
// fails holds its trigger.
func (pl *planner) judge(r *rules.Rule, t triggerCall) (changed bool) {
	if !owes(r) {
		return false
	}
	defer func() {
		if p := recover(); p != nil {
			pl.fail(r, t, p)
		}
	}()
	e := &env{v: pl.v, p: &pl.p, trigger: t.call, idx: t.idx, past: t.past}
	if t.reply {
		e.trigger, e.reply, e.speaks = nil, pl.v.Draft.Text, true
	}
	truth, ev, wants := r.Triggered(e)
	if truth == rules.False {
		return false
	}
	if truth == rules.Unknown {
		pl.unknown(r, t, "", ev, wants)
		return false
	}
	var group []rules.Match
	for _, m := range r.Matches(e) {
		key := settledKey{r, t.call.ID, m.Item}
		if pl.settled[key] || t.met && pl.stood(r, t, m.Item) {
			continue
		}
		if r.Type == rules.Precondition && m.Truth == rules.True {
			m = unmet(r, e, m)
		}
		switch m.Truth {
		case rules.True:
			group = append(group, m)
		case rules.Unknown:
			pl.settle(key)
			pl.unknown(r, t, m.Item, m.Evidence, m.Wants)
		}
	}
	if len(group) > 0 {
		return pl.owe(r, t, e, group)
	}
	return pl.forward(r, t)
}

// fail files a rule that could not be evaluated, once for each trigger.
func (pl *planner) fail(r *rules.Rule, t triggerCall, p any) {
	h := hold{kind: holdError, trigger: t.call.ID, rule: r}
	if slices.ContainsFunc(pl.out.holds, func(o hold) bool { return o.kind == h.kind && o.trigger == h.trigger && o.rule == r }) {
		return
	}
	pl.v.ruleFailed(r, p)
	if t.idx >= 0 {
		pl.out.holds = append(pl.out.holds, h)
	}
}

// stood reports whether the rule's condition held, or was open, before the
// draft already.
func (pl *planner) stood(r *rules.Rule, t triggerCall, item string) bool {
	pl.base.project(pl.v.facts, nil)
	e := &env{v: pl.v, p: &pl.base, trigger: t.call, idx: -1, past: t.past}
	return slices.ContainsFunc(r.Matches(e), func(m rules.Match) bool { return m.Item == item && m.Truth != rules.False })
}

// settle keeps a match from being looked at again in this plan.
func (pl *planner) settle(k settledKey) {
	if pl.settled == nil {
		pl.settled = map[settledKey]bool{}
	}
	pl.settled[k] = true
}

// unknown files a condition that cannot be judged: a read that was not made
// is made, what only an earlier call of the draft leaves open waits until that
// was done and read, and the rest is held as the rule says.
func (pl *planner) unknown(r *rules.Rule, t triggerCall, item string, ev []rules.Evidence, wants []rules.Want) {
	var reads []rules.Want
	own := false
	for _, w := range wants {
		switch {
		case w.Impossible:
		case w.Why == rules.OwnWrite:
			own = true
		case t.idx < 0 && !t.late && !pl.v.facts.opened(w.Signal): // it has been looked at with the trigger
		case !pl.v.readTried(w):
			reads = append(reads, w)
		}
	}
	if len(reads) > 0 {
		pl.out.waits = append(pl.out.waits, waiting{t.id(), r, ev, reads})
		return
	}
	switch {
	case t.idx < 0:
		return // it happened; there is nothing to hold
	case own:
		if opener(ev, pl.out.calls[:t.idx]) {
			pl.out.defers = append(pl.out.defers, deferral{t.call.ID, r, ev})
		}
		return // else it is read after the draft
	}
	if absent(wants) {
		pl.out.holds = append(pl.out.holds, hold{kind: holdMissing, trigger: t.call.ID, rule: r, evidence: ev, missing: unknownLeft(ev)})
		return
	}
	if r.Unknown == rules.ClassAllow || pl.v.consents.has(t.call) {
		return
	}
	pl.out.holds = append(pl.out.holds, hold{kind: holdUnknown, trigger: t.call.ID, rule: r, evidence: ev})
}
