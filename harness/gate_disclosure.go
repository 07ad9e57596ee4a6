// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
)

// disclosureGate looks at a reply after a call or a result that a disclosure
// rule is about: what the rule says the driver must be told has to be in what
// was spoken. The remedy adds the rule's own sentence to the reply. A reply
// that the harness makes itself is held to the same.
func disclosureGate(v *View) []Finding {
	if !v.speaks() {
		return nil
	}
	var out []Finding
	for i := range v.facts.done {
		d := &v.facts.done[i]
		if d.turn != v.turn || !d.result.OK() {
			continue
		}
		for _, r := range v.disclosures(d.call.Tool) {
			e := &env{v: v, p: &v.p, trigger: &d.call, idx: -1, reply: v.Draft.Text, speaks: true}
			if truth, _, _ := r.Triggered(e); truth != rules.True {
				continue
			}
			for _, m := range r.Matches(e) {
				if m.Truth == rules.True {
					out = append(out, v.disclose(r, e, m)...)
				}
			}
		}
	}
	return out
}

// disclosures are the disclosure rules about a call or a result of a tool.
func (v *View) disclosures(tool string) []*rules.Rule {
	var out []*rules.Rule
	for _, l := range [][]*rules.Rule{v.set.On(tool), v.set.OnResult(tool)} {
		for _, r := range l {
			if r.Type == rules.Disclosure {
				out = append(out, r)
			}
		}
	}
	return out
}

// disclose is the finding about what one match of a rule wants said or kept
// back. What the rule's own sentence leaves out is said after it. What was said
// in an earlier turn was said about something else.
func (v *View) disclose(r *rules.Rule, e *env, m rules.Match) []Finding {
	e.tells = true
	defer func() { e.tells = false }()
	f := Finding{Action: Repair, Rule: r.ID, Evidence: m.Evidence, Note: "the driver must be told: " + r.Policy}
	for _, t := range r.Tells(e, v.set, &m) {
		if t.OK() || t.Said == rules.Unknown {
			continue
		}
		tell := Telling{Value: t.Value, Withhold: t.Withheld}
		if t.Word != nil {
			tell.Word = t.Word.Name
		}
		f.Tell = append(f.Tell, tell)
		if t.Withheld {
			f.Action, f.Note = Say, fmt.Sprintf("the reply must not say %s: %s", t.Value, r.Policy)
		}
	}
	if len(f.Tell) == 0 {
		return nil
	}
	if f.Action == Repair {
		f.Driver = v.sentences(r, e, m)
		if strings.Contains(e.reply, f.Driver) {
			return nil // said as well as anybody can
		}
		f.Remedy.Text = strings.TrimSpace(v.Draft.Text + " " + f.Driver)
	}
	return []Finding{f}
}

// sentences is what the driver is told for a match: the rule's own sentence,
// and each value and word that it does not say.
func (v *View) sentences(r *rules.Rule, e *env, m rules.Match) string {
	said := v.say(r, e, m)
	with := *e
	with.reply = said
	for _, t := range r.Tells(&with, v.set, &m) {
		switch {
		case t.OK() || t.Said == rules.Unknown || t.Withheld:
		case t.Word == nil:
			said += " " + v.lang.Phrase(words.SayNote, v.factName(t.Label)+" "+t.Value.String())
		case len(t.Texts) > 0:
			said += " " + v.lang.Phrase(words.SayNote, t.Texts[0])
		}
	}
	return strings.TrimSpace(said)
}
