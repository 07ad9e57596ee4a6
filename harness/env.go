// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// env answers the rules' questions about one trigger. It looks at a
// projection of the draft on top of the facts.
type env struct {
	v       *View
	p       *projection
	trigger *vehicle.Call
	idx     int           // of the trigger in the projection; -1: it ran earlier
	past    vehicle.State // before a trigger that ran earlier
	reply   string
	speaks  bool // a reply is judged: every moment is now
	tells   bool // what was said in earlier turns does not count as said
}

var _ rules.Env = (*env)(nil)

func (e *env) Catalog() *vehicle.Catalog { return e.v.cat }
func (e *env) Trigger() *vehicle.Call    { return e.trigger }
func (e *env) Reply() string             { return e.reply }
func (e *env) Now() time.Time            { return e.v.now }

// ReplyIs reports what kind of reply is judged.
func (e *env) ReplyIs(kind rules.ReplyKind) rules.Truth {
	return rules.TruthOf(e.v.lang.ReplyIs(e.reply, kind))
}

func (e *env) Field(s vehicle.SignalID, at rules.At) rules.Fact {
	f := e.v.facts
	switch {
	case e.speaks || at == rules.After:
		return e.p.field(f, s, len(e.p.calls))
	case at == rules.Before && e.idx >= 0:
		return e.p.field(f, s, e.idx)
	case at == rules.Before && e.past != nil:
		fact := f.fact(s)
		fact.Value = e.past[s]
		return fact
	}
	fact := f.fact(s)
	if fact.Why == rules.Unread && len(e.v.cat.Readers(s)) == 0 {
		fact.Why = rules.Absent
	}
	return fact
}

func (e *env) Result(tool string, args vehicle.Value) rules.Fact {
	o, ok := e.v.facts.latest(tool, args)
	if !ok {
		if e.v.cat.Tool(tool) == nil {
			return rules.Fact{Why: rules.Absent}
		}
		return rules.Fact{Why: rules.Unread}
	}
	return rules.Fact{Value: o.result.Value, Why: rules.Observed, CallID: o.call.ID, Time: o.result.At}
}

func (e *env) Ref(id string) rules.Fact {
	o, ok := e.v.facts.objects[id]
	if !ok {
		return rules.Fact{}
	}
	return rules.Fact{Value: o, Why: rules.Observed}
}

func (e *env) Objects(yield func(string, vehicle.Value) bool) {
	for _, id := range e.v.facts.order {
		if !yield(id, e.v.facts.objects[id]) {
			return
		}
	}
}

func (e *env) Context(name string) vehicle.Value { return e.v.context(name) }

func (e *env) Called(since rules.Since, yield func(*vehicle.Call, time.Time) bool) {
	for i := e.idx - 1; i >= 0; i-- {
		if e.p.calls[i].Tool == since.Call {
			return
		}
		if !yield(&e.p.calls[i], e.v.now) {
			return
		}
	}
	done := e.v.facts.done
	for i := len(done) - 1; i >= 0; i-- {
		d := &done[i]
		if !d.result.OK() {
			continue
		}
		switch {
		case since.Turn && d.turn != e.v.turn,
			since.Within > 0 && e.v.now.Sub(d.result.At) > since.Within,
			since.Call != "" && d.call.Tool == since.Call:
			return
		}
		if !yield(&d.call, d.result.At) {
			return
		}
	}
}

func (e *env) Consented(c *vehicle.Call) bool { return e.v.consents.has(c) }

func (e *env) Batch(yield func(*vehicle.Call) bool) {
	for i := range e.p.calls {
		if !yield(&e.p.calls[i]) {
			return
		}
	}
}

func (e *env) Told(text []string) rules.Truth {
	if e.v.lang.MentionsAny(e.reply, text) {
		return rules.True
	}
	if e.tells {
		return rules.TruthOf(e.announced(text))
	}
	for _, m := range e.v.history.messages {
		if m.Role == Assistant && e.v.lang.MentionsAny(m.Text, text) {
			return rules.True
		}
	}
	return rules.False
}

// announced reports whether the reply before the driver's newest words said it
// of the very numbers of the trigger, and did not report an earlier call: what
// was foretold need not be told again.
func (e *env) announced(text []string) bool {
	last := e.v.history.lastSpoken()
	if e.trigger == nil || !e.v.lang.MentionsAny(last, text) {
		return false
	}
	if slices.ContainsFunc(e.v.facts.done, func(d executed) bool { return d.turn == e.v.turn-1 && d.call.Tool == e.trigger.Tool }) {
		return false
	}
	some, all := false, true
	e.trigger.Args.Walk(func(p vehicle.Path, leaf vehicle.Value) {
		if leaf.Kind() == vehicle.Number {
			some, all = true, all && e.v.lang.MentionsValue(last, e.trigger.Tool, p, leaf)
		}
	})
	return some && all
}

func (e *env) Wants(words []string) rules.Truth {
	if e.v.lang.MentionsAny(e.v.utterance, words) {
		return rules.True
	}
	for _, a := range e.v.asks {
		if a.State == AskOpen && e.v.lang.MentionsAny(e.v.whole(a), words) {
			return rules.True
		}
	}
	for _, p := range e.v.preferences() {
		if e.v.lang.MentionsAny(p, words) {
			return rules.True
		}
	}
	return rules.False
}
