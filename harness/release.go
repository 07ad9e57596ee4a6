// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
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
	r.v.prepare(&d)
	withheld := map[string]*Finding{}
	var asks []*Finding
	for i := range left {
		f := &left[i]
		if f.Action == AskFirst {
			asks = append(asks, f)
		}
		if f.Action != Block && f.Action != AskFirst {
			continue
		}
		for _, id := range f.Subjects {
			r.withhold(withheld, id, f)
		}
		if !r.found(f, withheld) {
			r.withholdAll(withheld, f)
		}
	}
	var free, kept []vehicle.Call
	for _, c := range d.Calls {
		if withheld[c.ID] == nil {
			free = append(free, c)
		} else {
			kept = append(kept, c)
		}
	}
	if len(d.Calls) > 0 {
		s.history.assistant("", d.Calls)
	}
	res := r.execute(ctx, free)
	if r.barren++; len(free) > 0 {
		r.barren = 0
	}
	r.step.Released = append(r.step.Released, free...)
	r.step.Results = append(r.step.Results, res...)
	for _, c := range kept {
		f := withheld[c.ID]
		why := f.Note
		if f.Action == AskFirst {
			why = "waits for the driver's answer"
		} else if contains(f.Subjects, c.ID) || c.Origin != vehicle.ByRule {
			r.turn.Withheld = append(r.turn.Withheld, held(c, f))
			r.v.refused[c.Canonical()] = f.Note
			s.settleAsks(c.Tool, c.ID, AskRefused)
		}
		s.history.result(vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Refused, Reason: why, At: s.Now()})
	}
	if r.halted() {
		return true
	}
	if asks = r.answerable(asks, withheld); len(asks) > 0 {
		r.ask(asks)
		return true
	}
	return r.ended(free, res)
}

// withhold marks the call and, since a trigger and its remedies stand and
// fall together, everything of its package.
func (r *run) withhold(withheld map[string]*Finding, id string, f *Finding) {
	root := r.v.root(r.v.plan(), id)
	for _, c := range r.v.Draft.Calls {
		if c.ID != id && r.v.root(r.v.plan(), c.ID) != root {
			continue
		}
		if old := withheld[c.ID]; old == nil || old.Action == AskFirst && f.Action == Block {
			withheld[c.ID] = f
		}
	}
}

// found reports whether a call that the finding is about was in the draft.
func (r *run) found(f *Finding, withheld map[string]*Finding) bool {
	for _, id := range f.Subjects {
		if withheld[id] != nil {
			return true
		}
	}
	return false
}

// withholdAll fails closed: a finding that names no call of the draft may be
// about any of its writes.
func (r *run) withholdAll(withheld map[string]*Finding, f *Finding) {
	for i, c := range r.v.Draft.Calls {
		if t := r.v.p.tools[i]; (t == nil || t.Access == vehicle.Write) && withheld[c.ID] == nil {
			withheld[c.ID] = f
		}
	}
}

// answerable leaves out questions about calls that are withheld whatever the
// driver says.
func (r *run) answerable(asks []*Finding, withheld map[string]*Finding) []*Finding {
	var out []*Finding
	for _, f := range asks {
		if w := withheld[subject(f)]; w == nil || w.Action == AskFirst {
			out = append(out, f)
		}
	}
	return out
}

// held says that a finding withheld a call.
func held(c vehicle.Call, f *Finding) Held {
	return Held{Call: c, Gate: f.Gate, Rule: f.Rule, Reason: f.Note, Say: f.Driver}
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
		}
	}
}

// ask ends the turn with one question. Several yes-or-no questions become one
// about all of their calls; a choice between packages is put alone, first.
func (r *run) ask(asks []*Finding) {
	s := r.s
	q := *asks[0].Question
	for _, f := range asks {
		if len(f.Question.Options) > 1 {
			q = *f.Question
			asks = asks[:1]
			break
		}
	}
	if len(q.Options) == 1 {
		q = mergeQuestions(asks)
	}
	q.ID = s.newID()
	s.pending = &pending{question: q, asked: s.Now(), rest: r.deferred}
	r.deferred = nil
	r.turn.Question, r.turn.Outcome = &q, Asked
	r.say(strings.TrimSpace(r.report(false) + " " + q.Text))
}

// mergeQuestions makes one question of several that wait for a yes.
func mergeQuestions(asks []*Finding) Question {
	var q Question
	var opt Option
	var texts, labels []string
	seen := map[string]bool{}
	for _, f := range asks {
		fq := f.Question
		q.Rules, q.Facts = append(q.Rules, fq.Rules...), append(q.Facts, fq.Facts...)
		q.About = append(q.About, fq.About...)
		fresh := false
		for _, c := range fq.Options[0].Calls {
			if key := c.Canonical(); !seen[key] {
				seen[key], fresh = true, true
				opt.Calls = append(opt.Calls, c)
			}
		}
		for id, trigger := range fq.Options[0].For {
			if opt.For == nil {
				opt.For = map[string]string{}
			}
			opt.For[id] = trigger
		}
		if fresh || len(fq.Rules) > 0 && len(texts) == 1 && len(q.Rules) == len(fq.Rules) {
			if !fresh { // the same calls, asked about again with a reason: the reason is better
				texts, labels = nil, nil
			}
			texts, labels = append(texts, fq.Text), append(labels, fq.Options[0].Label)
		}
	}
	opt.Label = strings.Join(labels, ", ")
	q.Options, q.Text = []Option{opt}, strings.Join(texts, " ")
	return q
}

// reply ends the turn with the draft's text, or with the harness's own report
// when the text may not be spoken.
func (r *run) reply(d Draft, left []Finding) bool {
	text := strings.TrimSpace(d.Text)
	if d.Report || needsStudent(left) {
		if !d.Report {
			r.turn.note("the student's reply was replaced: " + left[0].Note)
		}
		r.own()
		text = r.report(true)
		if len(d.NotUnderstood) > 0 {
			text = strings.TrimSpace(r.report(false) + " " + r.s.lang.Phrase(words.NotUnderstood, r.s.lang.List(d.NotUnderstood)))
		}
	} else if told := r.untold(text); told != "" {
		text = strings.TrimSpace(text + " " + told)
	}
	r.say(text)
	return true
}
