// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// View is what a gate looks at: one draft, and all that was said, read and
// done before it. A view lives for one verification and changes nothing.
type View struct {
	Draft *Draft

	cat      *vehicle.Catalog
	set      *rules.Set
	facts    *facts
	history  *history
	lang     Language
	bound    []*binding
	consents *consents
	asks     []*Ask
	context  func(name string) vehicle.Value
	newID    func() string
	note     func(string)      // what the trace must say
	failed   []string          // rules that could not be evaluated, by id
	refused  map[string]string // calls refused in this turn: canonical → reason
	owner    map[string]string // added calls of this draft → the call they are owed for
	owedBy   map[string]string // added calls of this draft → the rule that owes them

	utterance string
	speech    Speech
	asked     string // what the assistant said last, when it was a question
	saidYes   bool   // the utterance is a plain yes to that
	saidNo    bool   // or a plain no
	turn      int
	now       time.Time

	p         projection      // the draft as it stands
	planner   planner         // its buffers are used again
	planned   *plan           // computed on first use
	mentioned map[string]bool // tools that the driver's words name, by name
	preferred []string        // stored preferences, gathered on first use
	gathered  bool
	heard     heard           // what was made of texts, for the gates that listen
	grounded  map[string]bool // whether a value of a call is given, by call and argument
}

// prepare projects the draft. It is called once per verification.
func (v *View) prepare(d *Draft) {
	v.Draft, v.planned = d, nil
	v.heard.follow(v.driverTexts())
	v.p.project(v.facts, d.Calls)
}

// plan returns what the rules require of the draft.
func (v *View) plan() *plan {
	if v.planned == nil {
		v.planned = v.makePlan(v.Draft.Calls)
	}
	return v.planned
}

// writes reports whether the draft contains a call that may change anything.
func (v *View) writes() bool {
	for _, t := range v.p.tools {
		if t == nil || t.Access == vehicle.Write {
			return true
		}
	}
	return false
}

// speaks reports whether the draft is a reply: text and nothing else.
func (v *View) speaks() bool { return len(v.Draft.Calls) == 0 }

// envFor is the rules' view of call i of the draft.
func (v *View) envFor(i int) *env {
	return &env{v: v, p: &v.p, trigger: &v.Draft.Calls[i], idx: i}
}

// requested reports whether the driver's words name what the call is about:
// the tool's subject and, where the call picks one of several, the item or
// all of them.
func (v *View) requested(c *vehicle.Call) bool {
	if c.Origin == vehicle.ByConsent {
		return true
	}
	if said, ok := v.mentioned[c.Tool]; ok {
		return said
	}
	said := v.lang.MentionsTool(v.utterance, c.Tool)
	for _, a := range v.asks {
		said = said || a.State == AskOpen && v.lang.MentionsTool(a.Text, c.Tool)
	}
	v.mentioned[c.Tool] = said
	return said
}

// readFor returns the read that answers a want.
func (v *View) readFor(w rules.Want) (vehicle.Call, bool) {
	if w.Call != nil {
		return *w.Call, v.cat.Tool(w.Call.Tool) != nil
	}
	if w.Signal == vehicle.NoSignal {
		return vehicle.Call{}, false
	}
	for _, t := range v.cat.Readers(w.Signal) {
		if t.ArgumentFree() {
			return vehicle.Call{Tool: t.Name, Args: vehicle.ObjectOf()}, true
		}
	}
	return vehicle.Call{}, false
}

// readTried reports whether the read that would answer a want was made in
// this turn already, with no write after it that failed.
func (v *View) readTried(w rules.Want) bool {
	c, ok := v.readFor(w)
	if !ok {
		return true // it cannot be made at all
	}
	want := c.Canonical()
	done := v.facts.done
	for i := len(done) - 1; i >= 0 && done[i].turn == v.turn; i-- {
		d := &done[i]
		if d.write && (!d.result.OK() && d.result.Status != vehicle.Refused || v.leftOpen(d, w.Signal)) {
			return false
		}
		if d.key == want {
			return true
		}
	}
	return false
}

// leftOpen reports whether a call that was carried out left a signal unknown.
func (v *View) leftOpen(d *executed, s vehicle.SignalID) bool {
	t := v.cat.Tool(d.call.Tool)
	if t == nil || s == vehicle.NoSignal {
		return false
	}
	as, _ := t.Effects(d.call.Args, nil)
	return slices.ContainsFunc(as, func(a vehicle.Assignment) bool { return a.Signal == s && a.Op == vehicle.Forget })
}

// preferences returns the stored preferences that were read, as sentences.
func (v *View) preferences() []string {
	if v.gathered {
		return v.preferred
	}
	v.gathered = true
	for _, t := range v.cat.Tools {
		if !t.HasTag(TagPreferences) {
			continue
		}
		for _, o := range v.facts.results[t.Name] {
			o.result.Value.Walk(func(_ vehicle.Path, leaf vehicle.Value) {
				if s, ok := leaf.Text(); ok {
					v.preferred = append(v.preferred, s)
				}
			})
		}
	}
	return v.preferred
}

// freshReads forgets what was gathered from reads.
func (v *View) freshReads() {
	v.gathered, v.preferred = false, nil
	clear(v.grounded)
}

// TagPreferences marks the reads that return stored preferences of the
// driver.
const TagPreferences = "preferences"
