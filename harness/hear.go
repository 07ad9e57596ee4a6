// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// hear takes in the utterance: a stop, the answer to a question that waits, or
// something new. It returns the draft that an answer decides on, or reports
// that the turn is over.
func (r *run) hear(ctx context.Context) (*Draft, bool) {
	s, v := r.s, r.v
	s.consents.lapse() // what a yes was not used for at once is asked again
	r.attend(v.utterance)
	if v.speech.Stop {
		if err := s.Car.Stop(ctx); err != nil {
			r.turn.note("stop: " + err.Error())
		}
		s.withdrawAsks()
		s.pending = nil
		s.consents.lapse()
		r.turn.Outcome = Halted
		r.say(s.lang.Phrase(words.SayStopped))
		return nil, true
	}
	if s.pending != nil && elapsed(s.pending.asked, s.Now()) >= s.Config.ConsentTTL {
		r.turn.note("the question had lapsed")
		s.pending = nil
	}
	if s.pending == nil {
		r.take(ctx, v.utterance)
		return nil, false
	}
	return r.answered(ctx)
}

// maxAudible is how much of an utterance is heard: some minutes of speech.
// What a broken recogniser makes can be longer, and to take it apart takes time
// that grows with the square of its length.
const maxAudible = 4 << 10

// audible is as much of a text as is heard, to the end of a word.
func audible(text string) string {
	if len(text) <= maxAudible {
		return text
	}
	cut := text[:maxAudible]
	if end := strings.LastIndexFunc(cut, unicode.IsSpace); end > 0 {
		return cut[:end]
	}
	return strings.ToValidUTF8(cut, "")
}

// attend takes the driver's words into the history, and sees whether they
// answer a question that the assistant's own words asked.
func (r *run) attend(text string) {
	s, v := r.s, r.v
	s.history.user(text)
	s.facts.idents.addSaid(text)
	if last := s.history.lastSpoken(); last != "" && s.lang.ReplyIs(last, rules.ReplyQuestion) {
		// A yes to a question about exact calls is for those alone, and one to a
		// question of code for a value is none. What code has told beside the
		// student's own question is not asked.
		fresh := elapsed(s.history.spoke, s.Now()) < s.Config.ConsentTTL
		if s.pending == nil && fresh && s.history.own != "" && s.lang.ReplyIs(s.history.own, rules.ReplyQuestion) {
			v.asked = s.history.own
		}
		ans := s.lang.Answer(text, &Question{Text: last, Options: []Option{{}}})
		v.saidYes, v.saidNo = ans.Kind == Yes, ans.Kind == No && ans.Rest == ""
	}
}

// take is [run.listen], with the asks found by the extractor where there is
// one. The ledger is kept at once: a restart must not lose what was asked for.
func (r *run) take(ctx context.Context, text string) {
	if r.extract(ctx, text) {
		r.heed(text)
	} else {
		r.listen(text)
	}
	if slices.ContainsFunc(r.s.asks, func(a *Ask) bool { return a.Turn == r.turn.Number || a.Ended == r.turn.Number }) {
		r.s.saveAsks(ctx)
	}
}

// listen puts the commands of a text on the ledger.
func (r *run) listen(text string) {
	r.s.noteAsks(r.s.lang.Speech(text))
	r.heed(text)
}

// heed takes a text as what the driver wants now.
func (r *run) heed(text string) {
	r.v.speech = r.s.lang.Speech(text)
	r.v.utterance = text
	r.v.asks = r.s.asks
	clear(r.v.mentioned)
	r.v.attune()
}

// answered lets the driver's answer, and nothing else, decide about the exact
// calls of the question.
func (r *run) answered(ctx context.Context) (*Draft, bool) {
	s, v, p := r.s, r.v, r.s.pending
	ans := s.lang.Answer(v.utterance, &p.question)
	r.turn.Answer = string(ans.Kind)
	v.asks = s.asks
	switch ans.Kind {
	case Yes:
		s.pending = nil
		s.syncLive()
		if fact, ok := p.changed(s.facts); ok {
			r.turn.note("consent lapsed: " + fact.Name + " changed since the question")
			r.deferred = p.rest
			return &Draft{Calls: renew(p.question.Options[ans.Option].Calls, vehicle.ByStudent), Student: "question"}, false
		}
		chosen := p.question.Options[ans.Option]
		calls := chosen.Calls
		for id, trigger := range chosen.For {
			v.owner[id] = trigger
		}
		if len(calls) == 0 {
			if r.deferred = p.rest; len(r.deferred) > 0 {
				return nil, false
			}
			r.say(s.lang.Phrase(words.SayNothing))
			s.withdrawAsks()
			return nil, true
		}
		if r.decided = ans.Rest == ""; !r.decided {
			r.take(ctx, ans.Rest)
		}
		s.consents.give(calls)
		r.deferred = p.rest
		return &Draft{Calls: renew(calls, vehicle.ByConsent), Student: "consent"}, false
	case No:
		s.pending = nil
		s.consents.lapse()
		r.deferred = p.rest // the no is about the package, not about what waits behind it
		if len(r.deferred) == 0 {
			s.withdrawAsks()
		}
		if ans.Rest != "" {
			r.take(ctx, ans.Rest)
			return nil, false
		}
		if len(r.deferred) > 0 {
			return nil, false
		}
		r.say(r.refused(p))
		return nil, true
	case Unclear:
		if !p.again {
			p.again = true
			r.turn.Question, r.turn.Outcome = &p.question, Asked
			r.say(s.lang.Phrase(words.AskAgain, p.question.Text))
			return nil, true
		}
		s.pending = nil
		s.withdrawAsks()
		r.say(s.lang.Phrase(words.ConsentDropped))
		return nil, true
	}
	s.pending = nil // a change or another topic: the question is off
	s.consents.lapse()
	r.turn.note("the question lapsed: " + string(ans.Kind))
	r.take(ctx, v.utterance)
	return nil, false
}

// refused answers a no: the package is named, and of several none is done.
func (r *run) refused(p *pending) string {
	if len(p.question.Options) == 1 {
		return r.s.lang.Phrase(words.ConsentCancelled, p.question.Options[0].Label)
	}
	return r.s.lang.Phrase(words.SayNothing)
}

// renew copies the calls of a package for a new draft. What a rule had put
// into it keeps saying so.
func renew(calls []vehicle.Call, origin vehicle.Origin) []vehicle.Call {
	out := slices.Clone(calls)
	for i := range out {
		if out[i].Origin != vehicle.ByRule || origin == vehicle.ByStudent {
			out[i].Origin = origin
		}
	}
	return out
}
