// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// disclosureGate looks at a reply after a call or a result that a disclosure
// rule is about: what the rule says the driver must be told has to be in what
// was spoken. The remedy adds the rule's own sentence to the reply. A reply
// that the harness makes itself is held to the same.
//
// A rule with by: commit is stricter: its call is held until the driver was
// told, and being told why it is held is being told.
func disclosureGate(v *View) []Finding {
	if !v.speaks() {
		return beforeCommit(v)
	}
	var out []Finding
	for i := range v.facts.done {
		d := &v.facts.done[i]
		if d.turn != v.turn || !d.result.OK() {
			continue
		}
		out = append(out, v.discloseAll(&env{v: v, p: &v.p, trigger: &d.call, idx: -1, reply: v.Draft.Text, speaks: true}, v.disclosures(d.call.Tool))...)
	}
	return append(out, v.discloseAll(v.replyEnv(), v.set.OnReply())...)
}

// replyEnv is the rules' view of the draft as a reply.
func (v *View) replyEnv() *env {
	return &env{v: v, p: &v.p, idx: -1, reply: v.Draft.Text, speaks: true}
}

// discloseAll judges what rules want said with a reply. One that cannot be
// evaluated does not silence the others.
func (v *View) discloseAll(e *env, all []*rules.Rule) []Finding {
	var out []Finding
	for _, r := range all {
		if r.Type != rules.Disclosure || r.By == rules.ByCommit {
			continue
		}
		v.safely(r, func() {
			if truth, _, _ := r.Triggered(e); truth != rules.True {
				return
			}
			for _, m := range r.Matches(e) {
				if m.Truth == rules.True {
					out = append(out, v.disclose(r, e, m)...)
				}
			}
		})
	}
	return out
}

// beforeCommit holds calls that must not be made before the driver was told
// something.
func beforeCommit(v *View) []Finding {
	var out []Finding
	broken := v.eachMatch(rules.Disclosure, func(c *vehicle.Call, r *rules.Rule, e *env, m rules.Match) {
		switch {
		case r.By != rules.ByCommit:
		case m.Truth == rules.Unknown:
			out = append(out, v.undecided(c, r, m.Evidence, m.Wants)...)
		default:
			f := Finding{Action: Block, Rule: r.ID, Subjects: []string{c.ID}, Evidence: m.Evidence, Tell: untold(r.Tells(e, v.set, &m)),
				Note: c.Tool + " waits until the driver was told: " + r.Policy, Driver: v.sentences(r, e, m)}
			if len(f.Tell) > 0 {
				out = append(out, f)
			}
		}
	})
	return append(out, broken...)
}

// untold are the tellings that are still open.
func untold(all []rules.Telling) []Telling {
	var out []Telling
	for _, t := range all {
		if t.OK() || t.Said == rules.Unknown {
			continue
		}
		tell := Telling{Value: t.Value, Withhold: t.Withheld}
		if t.Word != nil {
			tell.Word = t.Word.Name
		}
		out = append(out, tell)
	}
	return out
}

// disclosures are the rules about a call or a result of a tool.
func (v *View) disclosures(tool string) []*rules.Rule {
	return slices.Concat(v.set.On(tool), v.set.OnResult(tool))
}

// disclose is the finding about what one match of a rule wants said or kept
// back. What the rule's own sentence leaves out is said after it. What was said
// in an earlier turn was said about something else, unless the reply just before
// said it of the very numbers that were set then.
func (v *View) disclose(r *rules.Rule, e *env, m rules.Match) []Finding {
	e.tells = true
	defer func() { e.tells = false }()
	f := Finding{Action: Repair, Rule: r.ID, Evidence: m.Evidence, Tell: untold(r.Tells(e, v.set, &m)), Note: "the driver must be told: " + r.Policy}
	if len(f.Tell) == 0 {
		return nil
	}
	for _, t := range f.Tell {
		if t.Withhold {
			what := t.Word
			if what == "" {
				what = t.Value.String()
			}
			f.Action, f.Note = Say, fmt.Sprintf("the reply must not say %s: %s", what, r.Policy)
		}
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
			said += " " + v.lang.Phrase(words.SayNote, v.valueName(t.Label)+" "+t.Value.String())
		case len(t.Texts) > 0:
			said += " " + v.lang.Phrase(words.SayNote, t.Texts[0])
		}
	}
	return strings.TrimSpace(said)
}
