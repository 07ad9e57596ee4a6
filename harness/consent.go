// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// consents are the calls the driver said yes to. Each is for one exact call
// and is used up by it; all lapse on another topic, when a fact they were
// asked on changes, and after a time.
type consents struct {
	given []consent
	ttl   time.Duration
	now   func() time.Time
}

type consent struct {
	canonical string
	at        time.Time
}

func (c *consents) give(calls []vehicle.Call) {
	for i := range calls {
		c.given = append(c.given, consent{calls[i].Canonical(), c.now()})
	}
}

func (c *consents) has(call *vehicle.Call) bool { return c.find(call) >= 0 }

// use takes the consent for a call away, since it was carried out.
func (c *consents) use(call *vehicle.Call) {
	if i := c.find(call); i >= 0 {
		c.given = append(c.given[:i], c.given[i+1:]...)
	}
}

func (c *consents) lapse() { c.given = nil }

func (c *consents) find(call *vehicle.Call) int {
	if len(c.given) == 0 {
		return -1
	}
	key := call.Canonical()
	for i, g := range c.given {
		if g.canonical == key && elapsed(g.at, c.now()) < c.ttl {
			return i
		}
	}
	return -1
}

// pending is a question that waits for its answer.
type pending struct {
	question Question
	asked    time.Time
	again    bool           // it was put a second time already
	rest     []vehicle.Call // calls that wait until it is answered
}

// changed returns the first fact that is no longer what the question was
// asked on.
func (p *pending) changed(f *facts) (QuestionFact, bool) {
	for _, q := range p.question.Facts {
		now := f.state[q.Signal]
		if s := f.cat.Profile.Signals[q.Signal]; now.Known() != q.Value.Known() || now.Known() && !s.Reached(now, q.Value) {
			return q, true
		}
	}
	return QuestionFact{}, false
}

// consentSpoken reports whether the driver's words are a plain yes to the
// assistant's own question, and the question was about this call: it named
// what the call is about, and every value was named in it or in the driver's
// own words before it. The call must not have been carried out on that yes
// already.
func (v *View) consentSpoken(c *vehicle.Call) bool {
	if !v.saidYes || v.asked == "" || !v.lang.MentionsTool(v.asked, c.Tool) && !v.addresses(c) {
		return false
	}
	key := c.Canonical()
	for i := len(v.facts.done) - 1; i >= 0 && v.facts.done[i].turn == v.turn; i-- {
		if v.facts.done[i].write && v.facts.done[i].key == key {
			return false
		}
	}
	all := true
	c.Args.Walk(func(p vehicle.Path, leaf vehicle.Value) {
		all = all && (isProse(leaf) || v.named(c.Tool, p, leaf))
	})
	return all
}

// addresses reports whether the question held every identifier, address or
// number of the call: "Shall I send it?" behind a whole letter is about that
// letter.
func (v *View) addresses(c *vehicle.Call) bool {
	some, all := false, true
	c.Args.Walk(func(_ vehicle.Path, leaf vehicle.Value) {
		if id, ok := leaf.Text(); ok && isIdentifier(id) {
			some, all = true, all && strings.Contains(v.asked, id)
		}
	})
	return some && all
}

// named reports whether the question named a value, or, when it named none for
// that argument, whether it was said before by whoever spoke, or stands in a
// stored preference.
func (v *View) named(tool string, at vehicle.Path, val vehicle.Value) bool {
	if on, ok := val.Truth(); ok {
		return v.namedOn(tool, at, on)
	}
	if v.lang.MentionsValue(v.asked, tool, at, val) {
		return true
	}
	if v.lang.NamesValue(v.asked, tool, at) {
		return false // another one
	}
	for _, m := range v.history.messages {
		if m.Text != "" && v.lang.MentionsValue(m.Text, tool, at, val) {
			return true
		}
	}
	for _, p := range v.preferences() {
		if v.lang.MentionsValue(p, tool, at, val) {
			return true
		}
	}
	return false
}

// namedOn is named for on and off, of which the sentence that asked must say one:
// what else is on or off is often said beside it. "Shall I start it?", which
// says neither, is about on.
func (v *View) namedOn(tool string, at vehicle.Path, on bool) bool {
	asked := ""
	for _, q := range v.queries(v.asked) {
		asked += q.Sentence + "? "
	}
	if asked == "" {
		asked = v.asked
	}
	said, other := v.lang.MentionsValue(asked, tool, at, vehicle.BoolOf(on)), v.lang.MentionsValue(asked, tool, at, vehicle.BoolOf(!on))
	if said == other {
		return on && !v.lang.NamesValue(asked, tool, at)
	}
	return said
}

// isProse reports whether a value is free text: more than a name or a word,
// which nobody says twice.
func isProse(v vehicle.Value) bool {
	s, ok := v.Text()
	return ok && len(strings.Fields(s)) > 4
}
