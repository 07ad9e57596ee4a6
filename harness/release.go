// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// release lets go of what carries no hard finding. A call that carries one is
// withheld with everything that belongs to it, and the rest is carried out.
// It reports whether the turn has spoken.
func (r *run) release(ctx context.Context, d Draft, left []Finding) bool {
	if len(d.Calls) == 0 && len(r.deferred) == 0 {
		return r.reply(d, left)
	}
	s := r.s
	w := &withholding{why: map[string]*Finding{}}
	d = r.sift(ctx, d, left, w)
	if all := slices.Concat(w.kept, d.Calls); len(all) > 0 {
		s.history.assistant("", all)
	}
	res := r.execute(ctx, d.Calls)
	if r.barren++; len(d.Calls) > 0 {
		r.barren = 0
	}
	r.step.Released = append(r.step.Released, d.Calls...)
	r.step.Results = append(r.step.Results, res...)
	for _, c := range w.kept {
		r.keepBack(c, w.why[c.ID])
	}
	if r.halted() {
		return true
	}
	if asks := w.answerable(); len(asks) > 0 {
		closed, open := split(asks)
		now, later := first(closed)
		if len(now) > 0 || len(r.deferred) > 0 {
			r.putOff(slices.Concat(later, open), now, w.kept)
		}
		if len(now) > 0 {
			r.ask(now, later)
			return true
		}
		if len(r.deferred) == 0 {
			r.askOpen(open)
			return true
		}
	}
	return r.ended(d.Calls, res)
}

// ended reports whether a call that was carried out ends the conversation.
func (r *run) ended(calls []vehicle.Call, res []vehicle.Result) bool {
	for i, c := range calls {
		if t := r.s.Catalog.Tool(c.Tool); t != nil && t.Terminal && res[i].OK() {
			r.say(r.report(true))
			return true
		}
	}
	return false
}

// own makes the harness answer for calls that the student was told were wrong
// and gave up without a word.
func (r *run) own() {
	for _, h := range r.rejected {
		key, done := h.Call.Canonical(), false
		r.eachWrite(func(c vehicle.Call, _ vehicle.Result) { done = done || c.Canonical() == key })
		for _, w := range r.turn.Withheld {
			done = done || w.Call.Canonical() == key
		}
		if !done {
			r.turn.Withheld = append(r.turn.Withheld, h)
			r.s.settleAsks(h.Call.Tool, h.Call.ID, AskRefused)
		}
	}
}

// reply ends the turn with the draft's text, or with the harness's own report
// when the text may not be spoken.
func (r *run) reply(d Draft, left []Finding) bool {
	text := strings.TrimSpace(d.Text)
	if !d.Report && !unspeakable(left) {
		r.say(strings.TrimSpace(text + " " + r.untold(text)))
		r.s.history.own = text
		r.s.refuseAsks(text)
		return true
	}
	if !d.Report {
		r.turn.note("the student's reply was replaced: " + left[0].Note)
	}
	r.own()
	text = r.report(true)
	if len(d.NotUnderstood) > 0 {
		text = strings.TrimSpace(r.report(false) + " " + r.s.lang.Phrase(words.NotUnderstood, r.s.lang.List(d.NotUnderstood)))
	}
	r.say(text)
	return true
}
