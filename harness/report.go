// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// report says what was done, what was not and why, from what was observed. It
// is what the driver hears when no student's words can be used. With always
// set it is never empty.
func (r *run) report(always bool) string {
	text := strings.TrimSpace(r.reportDone() + " " + r.reportFailed())
	text = strings.TrimSpace(text + " " + r.told(text))
	if text == "" && always {
		text = r.s.lang.Phrase(words.SayNothing)
	}
	return text
}

// reportDone says the effects that were observed in this turn.
func (r *run) reportDone() string {
	var said []string
	r.eachWrite(func(c vehicle.Call, res vehicle.Result) {
		if res.OK() {
			if d := r.s.lang.Done(c); d != "" && !contains(said, d) {
				said = append(said, d)
			}
		}
	})
	if len(said) == 0 {
		return ""
	}
	return r.s.lang.Phrase(words.SayDone, r.s.lang.List(said))
}

// told is what disclosure rules demand about what was done and read, as far
// as the text does not say it.
func (r *run) told(text string) string {
	r.v.prepare(&Draft{Text: text, Report: true})
	var said []string
	for _, f := range disclosureGate(r.v) {
		if f.Action == Repair && !contains(said, f.Driver) {
			said = append(said, f.Driver)
		}
	}
	return strings.Join(said, " ")
}

// reportFailed says what was not done and why.
func (r *run) reportFailed() string {
	var said []string
	add := func(s string) {
		if s != "" && !contains(said, s) {
			said = append(said, s)
		}
	}
	r.eachWrite(func(c vehicle.Call, res vehicle.Result) {
		if !res.OK() {
			add(r.failed(c, res))
		}
	})
	for _, h := range r.turn.Withheld {
		if h.Gate == "loop" {
			add(r.s.lang.Phrase(words.GaveUp))
			continue
		}
		add(r.notDone(h))
	}
	return strings.Join(said, " ")
}

// failed says that a call was sent or tried and did not do what it should, in
// words for the driver.
func (r *run) failed(c vehicle.Call, res vehicle.Result) string {
	lang := r.s.lang
	act := lang.Speak(c)
	if ref := res.Refusal; ref != nil && ref.Text[lang.Code()] != "" {
		return strings.TrimSpace(lang.Phrase(words.SayLeft, act) + " " + words.Sentence(ref.Text[lang.Code()]))
	}
	if why := r.unsent[c.ID]; why != "" {
		return strings.TrimSpace(lang.Phrase(words.SayLeft, act) + " " + words.Sentence(why))
	}
	if first, ok := r.skipped[c.ID]; ok {
		return lang.Phrase(words.SaySkipped, act, lang.Speak(first))
	}
	if res.Status == vehicle.Unconfirmed {
		return lang.Phrase(words.SayFailed, act)
	}
	return lang.Phrase(words.SayNotDone, act, r.why(res))
}

// why is the reason of a result as a clause for the driver. What has no words
// of its own is told as it is.
func (r *run) why(res vehicle.Result) string {
	key := map[vehicle.Cause]words.Key{vehicle.CauseBlocked: words.WhyBlocked, vehicle.CauseReversed: words.WhyReversed}[res.Cause]
	if res.Refusal != nil {
		key = map[vehicle.Gate]words.Key{vehicle.GateLink: words.WhyBusGone, vehicle.GateRate: words.WhyRate,
			vehicle.GateStop: words.WhyStopped, vehicle.GateConsent: words.WhyNotConfirmed}[res.Refusal.Gate]
	}
	if res.Status == vehicle.Stopped {
		key = words.WhyStopped
	}
	if key == "" {
		return res.Reason
	}
	return r.s.lang.Phrase(key)
}

// notDone says that a call was withheld, and then why, in a sentence that the
// rule or the gate has for the driver.
func (r *run) notDone(h Held) string {
	return strings.TrimSpace(r.s.lang.Phrase(words.SayLeft, r.s.lang.Speak(h.Call)) + " " + h.Say)
}

// untold returns what a student's own reply left out of what it must not:
// calls that failed or were withheld and that it does not mention.
func (r *run) untold(text string) string {
	var said []string
	r.eachWrite(func(c vehicle.Call, res vehicle.Result) {
		if !res.OK() && !r.s.lang.MentionsTool(text, c.Tool) {
			said = append(said, r.failed(c, res))
		}
	})
	for _, h := range r.turn.Withheld {
		if !r.s.lang.MentionsTool(text, h.Call.Tool) {
			said = append(said, r.notDone(h))
		}
	}
	if r.evades(text) {
		said = append(said, r.s.lang.Phrase(words.SayNothing))
	}
	return strings.Join(said, " ")
}

// evades reports whether a reply to a command neither asks nor refuses
// although nothing at all was done: the driver must not take it for an effect.
func (r *run) evades(text string) bool {
	for _, st := range r.turn.Steps {
		if len(st.Released) > 0 {
			return false
		}
	}
	lang := r.s.lang
	return r.v.speech.Command && len(r.turn.Withheld) == 0 && !lang.Asks(text) && !lang.ReplyIs(text, rules.ReplyRefusal)
}

// eachWrite calls f for every write of this turn that was released.
func (r *run) eachWrite(f func(vehicle.Call, vehicle.Result)) {
	for _, st := range r.turn.Steps {
		for i, c := range st.Released {
			if t := r.s.Catalog.Tool(c.Tool); t == nil || t.Access == vehicle.Write {
				f(c, st.Results[i])
			}
		}
	}
}
