// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"fmt"
	"maps"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// confirmationGate asks before a call that is marked to need the driver's
// yes, or that a rule asks about under the state just before it. Consent is
// for the exact call, once. A call and everything owed for it are one
// package, asked in one question: the yes of one is the yes of all, the no
// cancels all. Where a rule warns, a yes to the warning stands until the driver
// has filled in what it left open, see [View.warnedYes].
func confirmationGate(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t != nil && t.Confirm && !v.consented(c) && !v.ridesAlong(i) {
			out = append(out, v.ask(c, nil, nil, rules.Match{}))
		}
	}
	broken := v.eachMatch(rules.Confirmation, func(c *vehicle.Call, r *rules.Rule, e *env, m rules.Match) {
		if v.consents.has(c) || v.consentSpoken(c) && v.namesAll(c, r, e) && v.warns(r, e) || v.ridesAlong(e.idx) || v.warnedYes(c, r, e) {
			return
		}
		if m.Truth == rules.Unknown {
			out = append(out, v.undecided(c, r, m.Evidence, m.Wants)...)
			return
		}
		out = append(out, v.ask(c, r, e, m))
	})
	return append(out, broken...)
}

// consented reports whether the driver said yes to exactly this call, or to
// the assistant's own question that named the call and all of its values.
func (v *View) consented(c *vehicle.Call) bool {
	return v.consents.has(c) || v.consentSpoken(c)
}

// ridesAlong reports whether call i is what a rule owes for another call of the
// draft that the driver has said yes to: trigger and remedies are one package,
// asked about once. A yes to the student's own words does not cover what a
// rule has added since: nobody has spoken of that.
func (v *View) ridesAlong(i int) bool {
	c := &v.Draft.Calls[i]
	agreed := v.consents.has
	for j := range v.Draft.Calls {
		o := &v.Draft.Calls[j]
		if j == i || v.p.tools[j] == nil {
			continue
		}
		if v.root(v.plan(), c.ID) == o.ID && agreed(o) {
			return true
		}
		owes := func(r *rules.Rule) bool { return r.Type == rules.AutoAction && owesTool(r, c.Tool) }
		if slices.ContainsFunc(v.set.On(o.Tool), owes) && agreed(o) && v.wouldOwe(o, i) {
			return true
		}
	}
	return false
}

// wouldOwe reports whether rules would owe exactly call i for o, were it not in
// the draft.
func (v *View) wouldOwe(o *vehicle.Call, i int) bool {
	c := &v.Draft.Calls[i]
	pl := v.makePlan(slices.Delete(slices.Clone(v.Draft.Calls), i, i+1))
	return slices.ContainsFunc(pl.added, func(a addition) bool {
		return a.call.Tool == c.Tool && a.call.Canonical() == c.Canonical() && v.root(pl, a.call.ID) == o.ID
	})
}

// warns reports whether the driver was told all that the rule wants mentioned
// when it is asked for.
func (v *View) warns(r *rules.Rule, e *env) bool {
	for _, w := range r.Asks(e, v.set).Warn {
		if texts := w.Words(v.lang.Code()); len(texts) > 0 && e.Told(texts) != rules.True {
			return false
		}
	}
	return true
}

// namesAll reports whether the question that the driver said yes to, or what
// the driver said just before it, named the numbers that the rule wants named.
// Names and prose go by other words in speech than in arguments.
func (v *View) namesAll(c *vehicle.Call, r *rules.Rule, e *env) bool {
	before := v.saidBeforeQuestion()
	for _, m := range r.Asks(e, v.set).Naming {
		at := vehicle.Path{{Name: m.Name}}
		if m.Value.Kind() == vehicle.Number && !v.lang.MentionsValue(v.asked, c.Tool, at, m.Value) && !v.lang.MentionsValue(before, c.Tool, at, m.Value) {
			return false
		}
	}
	return true
}

// saidBeforeQuestion is the driver's utterance before the present one.
func (v *View) saidBeforeQuestion() string {
	said := 0
	for i := len(v.history.messages) - 1; i >= 0; i-- {
		if m := &v.history.messages[i]; m.Role == User {
			if said++; said == 2 {
				return m.Text
			}
		}
	}
	return ""
}

// ask is the finding that puts a call's package to the driver.
func (v *View) ask(c *vehicle.Call, r *rules.Rule, e *env, m rules.Match) Finding {
	root := v.root(v.plan(), c.ID)
	calls := v.pack(root)
	q := &Question{Options: []Option{v.option(calls)}, About: []Asking{v.about(c, r, e)}}
	f := Finding{Action: AskFirst, Subjects: []string{root}, Evidence: m.Evidence, Question: q,
		Note: c.Tool + " needs the driver's explicit yes: describe it with its values and ask"}
	if r != nil {
		f.Rule, q.Rules = r.ID, []string{r.ID}
		q.Text = v.lang.Phrase(words.AskAnyway, q.Options[0].Label, v.because(r, e, m))
		f.Note = fmt.Sprintf("rule %s: %s", r.ID, r.Policy)
	} else {
		q.Text = v.lang.Phrase(words.AskConfirm, q.Options[0].Label)
	}
	q.Facts = v.factsOf(m.Evidence)
	return f
}

// about says why the call is asked about and what the question must carry.
func (v *View) about(c *vehicle.Call, r *rules.Rule, e *env) Asking {
	a := Asking{Call: *c}
	if r == nil {
		return a
	}
	a.Rule = r.ID
	asks := r.Asks(e, v.set)
	if len(asks.Naming) > 0 {
		a.Naming = vehicle.ObjectOf(asks.Naming...)
	}
	for _, w := range asks.Warn {
		a.Warn = append(a.Warn, w.Name)
	}
	return a
}

// because is what a confirmation's question must carry: the rule's sentence
// and the words it warns with.
func (v *View) because(r *rules.Rule, e *env, m rules.Match) string {
	return v.warned(withoutQuestion(v.say(r, e, m)), r, e)
}

// withoutQuestion drops the question that a rule's own sentences end with: the
// harness asks about the whole package instead.
func withoutQuestion(s string) string {
	if !strings.HasSuffix(s, "?") {
		return s
	}
	if i := strings.LastIndexAny(s[:len(s)-1], ".!?"); i >= 0 {
		return s[:i+1]
	}
	return s
}

// warned adds the words that the rule warns with and a text lacks.
func (v *View) warned(said string, r *rules.Rule, e *env) string {
	for _, w := range r.Asks(e, v.set).Warn {
		if texts := w.Words(v.lang.Code()); len(texts) > 0 && !v.lang.MentionsAny(said, texts) {
			said += " (" + texts[0] + ")"
		}
	}
	return said
}

// option is the choice of a package. It keeps its own copy of what is owed for
// what: the draft goes on changing while others read the question.
func (v *View) option(calls []vehicle.Call) Option {
	return Option{Label: v.lang.SpeakAll(calls), Calls: calls, For: maps.Clone(v.owner)}
}

// pack returns the calls of the draft that belong to the root, in order.
func (v *View) pack(root string) []vehicle.Call {
	var out []vehicle.Call
	for _, c := range v.Draft.Calls {
		if v.root(v.plan(), c.ID) == root {
			out = append(out, c)
		}
	}
	return out
}

// factsOf returns the signals that evidence rests on, with their values.
func (v *View) factsOf(ev []rules.Evidence) []QuestionFact {
	var out []QuestionFact
	for _, e := range ev {
		if s := v.cat.Profile.Signal(e.Left); s != nil {
			out = append(out, QuestionFact{s.ID, s.Name, e.Value})
		}
	}
	return out
}
