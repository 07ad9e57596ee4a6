// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// split parts questions about exact calls from those that are open: their
// answer is not a yes or a choice but words that the student has to hear.
func split(asks []*Finding) (closed, open []*Finding) {
	for _, f := range asks {
		if f.Question == nil || len(f.Question.Options) == 0 {
			open = append(open, f)
		} else {
			closed = append(closed, f)
		}
	}
	return closed, open
}

// first parts what is asked in one question from what waits for its answer: a
// choice between packages is put alone, first.
func first(closed []*Finding) (now, later []*Finding) {
	for i, f := range closed {
		if len(f.Question.Options) > 1 {
			return closed[i : i+1], slices.Concat(closed[:i], closed[i+1:])
		}
	}
	return closed, nil
}

// putOff lets the calls of later questions wait until those of now are
// answered, or calls that wait already were carried out. A call that is offered
// now as it is waits for nothing else.
func (r *run) putOff(later, now []*Finding, kept []vehicle.Call) {
	offered := map[string]bool{}
	for _, f := range now {
		for _, o := range f.Question.Options {
			for _, c := range o.Calls {
				offered[c.ID] = true
			}
		}
	}
	for _, c := range kept {
		asked := slices.ContainsFunc(later, func(f *Finding) bool { return contains(f.Subjects, c.ID) })
		if asked && !offered[c.ID] {
			c.ID = r.s.newID()
			r.deferred = append(r.deferred, c)
		}
	}
}

// askOpen ends the turn with questions whose answer the student has to hear.
func (r *run) askOpen(asks []*Finding) {
	var texts []string
	for _, f := range asks {
		text := f.Driver
		if f.Question != nil {
			text = f.Question.Text
		}
		if !contains(texts, text) {
			texts = append(texts, text)
		}
	}
	q := &Question{ID: r.s.newID(), Text: strings.Join(texts, " ")}
	r.turn.Question, r.turn.Outcome = q, Asked
	r.say(strings.TrimSpace(r.report(false) + " " + q.Text))
}

// ask ends the turn with one question: a choice, or one about all of the calls
// that wait for a yes.
func (r *run) ask(asks, later []*Finding) {
	s := r.s
	q := *asks[0].Question
	if len(q.Options) == 1 {
		q = mergeQuestions(asks)
	} else {
		q.reasons(later)
	}
	q.ID = s.newID()
	s.pending = &pending{question: q, asked: s.Now(), rest: r.deferred}
	r.deferred = nil
	r.turn.Question, r.turn.Outcome = &q, Asked
	r.say(strings.TrimSpace(r.report(false) + " " + q.Text))
}

// reasons puts before a choice why rules ask about calls that it offers: who
// chooses them has said yes to them.
func (q *Question) reasons(later []*Finding) {
	offered := map[string]bool{}
	for _, o := range q.Options {
		for _, c := range o.Calls {
			offered[c.Canonical()] = true
		}
	}
	var texts []string
	for _, f := range later {
		fq := f.Question
		if len(fq.Rules) == 0 || len(fq.Options) != 1 || !slices.ContainsFunc(fq.Options[0].Calls, func(c vehicle.Call) bool { return offered[c.Canonical()] }) {
			continue
		}
		q.Rules, q.About, q.Facts = slices.Concat(q.Rules, fq.Rules), slices.Concat(q.About, fq.About), slices.Concat(q.Facts, fq.Facts)
		if !contains(texts, fq.Text) {
			texts = append(texts, fq.Text)
		}
	}
	q.Text = strings.Join(append(texts, q.Text), " ")
}

// mergeQuestions makes one question of several that wait for a yes. Since the
// yes is to all of it, every rule among them says its reason, also where two
// ask about the same calls.
func mergeQuestions(asks []*Finding) Question {
	var q Question
	var opt Option
	var parts []part
	seen := map[string]bool{}
	for _, f := range asks {
		fq := f.Question
		q.Rules, q.Facts = append(q.Rules, fq.Rules...), append(q.Facts, fq.Facts...)
		q.About = append(q.About, fq.About...)
		p := part{text: fq.Text, reason: len(fq.Rules) > 0}
		for _, c := range fq.Options[0].Calls {
			key := c.Canonical()
			if p.calls = append(p.calls, key); !seen[key] {
				seen[key], p.label = true, fq.Options[0].Label
				opt.Calls = append(opt.Calls, c)
			}
		}
		for id, trigger := range fq.Options[0].For {
			if opt.For == nil {
				opt.For = map[string]string{}
			}
			opt.For[id] = trigger
		}
		parts = p.join(parts)
	}
	var texts, labels []string
	for _, p := range parts {
		texts = append(texts, p.text)
		if p.label != "" {
			labels = append(labels, p.label)
		}
	}
	opt.Label = strings.Join(labels, ", ")
	q.Options, q.Text = []Option{opt}, strings.Join(texts, " ")
	return q
}

// part is what one of several questions says in the one that is put.
type part struct {
	text   string
	label  string   // of its calls; empty: another part names them
	calls  []string // as canonical texts
	reason bool     // a rule asks, and says why
}

// join adds the part to those before it, as far as they do not say it. A reason
// takes the place of a question about the same calls that has none.
func (p part) join(parts []part) []part {
	if p.label != "" {
		return append(parts, p)
	}
	if !p.reason || slices.ContainsFunc(parts, func(o part) bool { return o.text == p.text }) {
		return parts
	}
	for i, o := range parts {
		if !o.reason && slices.Equal(o.calls, p.calls) {
			p.label = o.label
			parts[i] = p
			return parts
		}
	}
	return append(parts, p)
}
