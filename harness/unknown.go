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

// undecided says what a condition that no read can settle means: what the
// rule's unknown class says. While a read is left to make, the gather gate
// demands it and nothing is decided here.
func (v *View) undecided(c *vehicle.Call, r *rules.Rule, ev []rules.Evidence, wants []rules.Want) []Finding {
	own := false
	for _, w := range wants {
		switch {
		case w.Why == rules.OwnWrite:
			own = true
		case !w.Impossible && !v.readTried(w):
			return nil
		}
	}
	if own {
		if i := indexCall(v.Draft.Calls, c.ID); i >= 0 && opener(ev, v.Draft.Calls[:i]) {
			return []Finding{v.later(c.ID, r, ev)}
		}
		return nil // after the whole draft; it is read then
	}
	if absent(wants) {
		return v.absentClass(c, r, ev, unknownLeft(ev))
	}
	return v.unknownClass(c, r, ev)
}

// later puts a trigger off until what an earlier call of the draft leaves open
// was read.
func (v *View) later(trigger string, r *rules.Rule, ev []rules.Evidence) Finding {
	return Finding{Action: Repair, Rule: r.ID, Subjects: []string{trigger}, Evidence: ev, Remedy: Remedy{Defer: []string{trigger}},
		Note: fmt.Sprintf("rule %s cannot be decided before an earlier call of the draft was carried out and read: %s", r.ID, unknownLeft(ev))}
}

// absent reports whether something would have to be known that nothing offered
// tells.
func absent(wants []rules.Want) bool {
	return slices.ContainsFunc(wants, func(w rules.Want) bool { return w.Why == rules.Absent })
}

// unknownLeft is the left side of the test that could not be decided.
func unknownLeft(ev []rules.Evidence) string {
	what := ""
	for _, e := range ev {
		if e.Truth == rules.Unknown {
			what = e.Left
		}
	}
	return what
}

// absentClass carries out the rule's absent class on a trigger whose remedy,
// or what it would have to know, is not offered: nothing, or a block that says
// which part is missing.
func (v *View) absentClass(c *vehicle.Call, r *rules.Rule, ev []rules.Evidence, missing string) []Finding {
	if r.Absent == rules.ClassAllow {
		return nil
	}
	return []Finding{{Action: Block, Rule: r.ID, Subjects: []string{v.root(v.plan(), c.ID)}, Evidence: ev,
		Note:   fmt.Sprintf("rule %s requires %s, which is not offered: tell the driver and do the rest", r.ID, missing),
		Driver: words.Sentence(v.lang.Phrase(words.WhyNotOffered, v.factName(missing)))}}
}

// unknownClass carries out the rule's unknown class on a trigger: nothing,
// a block, or a question about the trigger and everything that is owed with
// it.
func (v *View) unknownClass(c *vehicle.Call, r *rules.Rule, ev []rules.Evidence) []Finding {
	what := unknownLeft(ev)
	root := v.root(v.plan(), c.ID)
	f := Finding{Rule: r.ID, Subjects: []string{root}, Evidence: ev, Note: fmt.Sprintf("rule %s cannot be decided: %s is unknown", r.ID, what)}
	switch {
	case r.Unknown == rules.ClassAllow:
		return nil
	case r.Unknown == rules.ClassRefuse:
		f.Action, f.Driver = Block, words.Sentence(v.lang.Phrase(words.WhyUnknown, v.factName(what)))
		return []Finding{f}
	case v.consented(c):
		return nil
	}
	e := &env{v: v, p: &v.p, trigger: c, idx: -1}
	calls := v.pack(root)
	q := &Question{Rules: []string{r.ID}, About: []Asking{v.about(c, r, e)},
		Options: []Option{v.option(calls)}}
	why := v.warned(v.lang.Phrase(words.WhyUnknown, v.factName(what)), r, e)
	q.Text = v.lang.Phrase(words.AskAnyway, q.Options[0].Label, why)
	f.Action, f.Question = AskFirst, q
	return []Finding{f}
}

// valueName is how a value is announced: a signal, or the part of what a read
// tells.
func (v *View) valueName(label string) string {
	if tool, path, ok := strings.Cut(label, " "); ok && v.cat.Profile.Tool(tool) != nil {
		return v.lang.ToolName(tool) + ": " + words.Humanize(path)
	}
	return v.factName(label)
}

// factName is how a driver calls what a test's left side looks at, or what a
// rule requires: a signal, a tool, or what a read tells.
func (v *View) factName(label string) string {
	for _, word := range strings.Fields(label) {
		word = strings.TrimSuffix(word, ":")
		if v.cat.Profile.Tool(word) != nil {
			return v.lang.ToolName(word)
		}
		if v.cat.Profile.Signal(word) != nil {
			return v.lang.SignalName(word)
		}
	}
	return v.lang.SignalName(label)
}
