// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Starter is a car that can send one call and wait for its effect later, so
// that calls which do not depend on each other move together and their
// frames still leave in order.
type Starter interface {
	// Start sends the call and returns a function that waits for its result.
	Start(ctx context.Context, c vehicle.Call) (wait func() vehicle.Result)
}

// execute carries out the calls of a released draft. Calls are grouped in
// waves: a call waits for those that are owed for it, for every call before it
// on the same signal, and for those without whose effect a rule would hold it.
// What depends on a call that failed is not sent.
func (r *run) execute(ctx context.Context, calls []vehicle.Call) []vehicle.Result {
	results := make([]vehicle.Result, len(calls))
	var done []int
	for next := 0; next < len(calls); {
		end := next + 1
		for end < len(calls) && r.independent(calls[next:end], calls[end:]) {
			end++
		}
		waits := make([]func() vehicle.Result, 0, end-next)
		for i := next; i < end; i++ {
			waits = append(waits, r.start(ctx, calls, results, done, i))
		}
		for k, wait := range waits {
			results[next+k] = wait()
			r.finish(ctx, calls[next+k], results[next+k])
			done = append(done, next+k)
		}
		next = end
	}
	return results
}

// independent reports whether the first of the calls that are left may be under
// way together with the calls of the wave.
func (r *run) independent(wave, left []vehicle.Call) bool {
	c := &left[0]
	t := r.s.Catalog.Tool(c.Tool)
	if t == nil {
		return false
	}
	mine := assigns(t, c, nil)
	for i := range wave {
		w := &wave[i]
		wt := r.s.Catalog.Tool(w.Tool)
		if wt == nil || r.v.owner[w.ID] == c.ID || r.v.owner[c.ID] == w.ID || (wt.Access == vehicle.Read) != (t.Access == vehicle.Read) {
			return false
		}
		if wt.Access == vehicle.Write && (len(mine) == 0 || wt.Service != "" || t.Service != "") {
			return false // services are called one after the other, in order
		}
		for _, a := range assigns(wt, w, nil) {
			if slices.ContainsFunc(mine, func(b vehicle.Assignment) bool { return a.Signal == b.Signal }) {
				return false
			}
		}
	}
	return t.Access != vehicle.Write || r.held(left) == nil
}

// start sends call i unless something it depends on failed.
func (r *run) start(ctx context.Context, calls []vehicle.Call, results []vehicle.Result, done []int, i int) func() vehicle.Result {
	c := calls[i]
	fail := func(why string) func() vehicle.Result {
		res := vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Refused, Reason: why, At: r.s.Now()}
		return func() vehicle.Result { return res }
	}
	for _, k := range done {
		if r.v.owner[calls[k].ID] == c.ID && !results[k].OK() {
			r.skipped[c.ID] = calls[k]
			return fail("not sent, since " + calls[k].Tool + " did not succeed: " + results[k].Reason)
		}
		if r.v.owner[c.ID] == calls[k].ID && !results[k].OK() {
			r.skipped[c.ID] = calls[k]
			return fail("not sent, since " + calls[k].Tool + ", which it goes with, did not succeed")
		}
	}
	if ctx.Err() != nil {
		r.unsent[c.ID] = r.s.lang.Phrase(words.WhyStopped)
		return fail("not sent, since the turn was stopped")
	}
	t := r.s.Catalog.Tool(c.Tool)
	if t != nil && t.Access == vehicle.Write {
		if f := r.recheck(calls, done, i); f != nil {
			r.unsent[c.ID] = r.v.reason(f)
			return fail("not sent, since the car changed meanwhile: " + f.Note)
		}
		r.s.keep(ctx, Record{Kind: CallActing, Turn: r.turn.ID, Call: &c}, true)
		r.before[c.ID] = r.s.facts.state.Clone()
	}
	if st, ok := r.s.Car.(Starter); ok {
		return st.Start(ctx, c)
	}
	res := r.s.Car.Do(ctx, c)
	return func() vehicle.Result { return res }
}

// recheck verifies a write once more just before it goes out: the car may have
// been changed by hand since the draft was released, and what an earlier call
// of the draft was to bring about may not have come. It returns what holds the
// call now, if anything does.
func (r *run) recheck(calls []vehicle.Call, done []int, i int) *Finding {
	live := vehicle.NewState(len(r.s.facts.state))
	r.s.Car.Live(live)
	was := r.s.facts.state.Clone()
	r.s.facts.sync(live, r.s.Now())
	acted := slices.ContainsFunc(done, func(k int) bool {
		t := r.s.Catalog.Tool(calls[k].Tool)
		return t == nil || t.Access == vehicle.Write
	})
	if !acted && slices.EqualFunc(was, r.s.facts.state, vehicle.Value.Equal) {
		return nil
	}
	return r.held(calls[i:])
}

// held is why the first of the calls would not be let go if they were all
// that is left to do, as the car is known now; nil when it would.
func (r *run) held(left []vehicle.Call) *Finding {
	d := Draft{Calls: left}
	for _, f := range r.s.check(r.v, &d) {
		if ofTheCar(&f) && contains(f.Subjects, left[0].ID) {
			return &f
		}
	}
	return nil
}

// finish takes in what came of a call.
func (r *run) finish(ctx context.Context, c vehicle.Call, res vehicle.Result) {
	res.CallID, res.Tool = c.ID, c.Tool
	if res.At.IsZero() {
		res.At = r.s.Now()
	}
	s := r.s
	t := s.Catalog.Tool(c.Tool)
	write := t == nil || t.Access == vehicle.Write
	s.facts.record(c, res, s.history.turn)
	r.v.freshReads()
	s.history.result(res)
	s.tell(ctx, &res)
	if !write {
		if res.OK() {
			s.settleByRead(r.v, c.Tool, c.ID)
		}
		if res.OK() && len(r.v.set.OnResult(c.Tool)) > 0 {
			r.bind(c)
		}
		return
	}
	s.keep(ctx, Record{Kind: CallObserved, Turn: r.turn.ID, Call: &c, Result: &res}, true)
	s.consents.use(&c)
	if !res.OK() {
		r.v.refused[c.Canonical()] = res.Reason
		if c.Origin != vehicle.ByRule {
			s.settleAsks(c.Tool, c.ID, AskRefused)
		}
		return
	}
	s.settleAsks(c.Tool, c.ID, AskDone)
	r.bind(c)
}

// bind notes the rules that a call which was carried out triggered.
func (r *run) bind(c vehicle.Call) {
	r.v.prepare(&Draft{})
	e := &env{v: r.v, p: &r.v.p, trigger: &c, idx: -1, past: r.before[c.ID]}
	r.s.bound = append(r.s.bound, bind(r.v, e, c, r.before[c.ID])...)
	r.v.bound = r.s.bound
}

// discharge marks the bindings whose rule has nothing left to demand, and
// drops them at the end of the turn. A rule that cannot be evaluated demands
// nothing: kept, it would break off every later turn as well.
func (s *Session) discharge(v *View, end bool) {
	v.prepare(&Draft{})
	var keep []*binding // of its own: the view looks into the old one
	for _, b := range s.bound {
		if !b.active(s.facts) {
			continue
		}
		e := &env{v: v, p: &v.p, trigger: &b.call, idx: -1, past: b.before}
		open := false
		if !v.safely(b.rule, func() {
			for _, m := range b.rule.Matches(e) {
				open = open || m.Truth != rules.False
			}
		}) {
			open = false
		}
		if b.met = b.met || !open; !b.met || !end {
			keep = append(keep, b)
		}
	}
	s.bound = keep
	v.bound = keep
}

// read makes demanded reads at once; they stand in the history before the
// draft they were made for.
func (r *run) read(ctx context.Context, reads []vehicle.Call) {
	r.s.history.assistant("", reads)
	res := r.execute(ctx, reads)
	r.step.Released = append(r.step.Released, reads...)
	r.step.Results = append(r.step.Results, res...)
}
