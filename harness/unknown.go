// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// undecided says what a condition that no read can settle means: what the
// rule's unknown class says. While a read is left to make, the gather gate
// demands it and nothing is decided here.
func (v *View) undecided(c *vehicle.Call, r *rules.Rule, ev []rules.Evidence, wants []rules.Want) []Finding {
	for _, w := range wants {
		if w.Why == rules.OwnWrite || !w.Impossible && !v.readTried(w) {
			return nil
		}
	}
	return v.unknownClass(c, r, ev)
}

// unknownClass carries out the rule's unknown class on a trigger: nothing,
// a block, or a question about the trigger and everything that is owed with
// it.
func (v *View) unknownClass(c *vehicle.Call, r *rules.Rule, ev []rules.Evidence) []Finding {
	what := ""
	for _, e := range ev {
		if e.Truth == rules.Unknown {
			what = e.Left
		}
	}
	root := v.root(v.plan(), c.ID)
	f := Finding{Rule: r.ID, Subjects: []string{root}, Evidence: ev, Note: fmt.Sprintf("rule %s cannot be decided: %s is unknown", r.ID, what)}
	switch {
	case r.Unknown == rules.ClassAllow:
		return nil
	case r.Unknown == rules.ClassRefuse:
		f.Action, f.Driver = Block, v.lang.Phrase(words.UnknownFact, v.lang.Speak(*c), v.factName(what))
		return []Finding{f}
	case v.consented(c):
		return nil
	}
	e := &env{v: v, p: &v.p, trigger: c, idx: -1}
	calls := v.pack(root)
	q := &Question{Rules: []string{r.ID}, About: []Asking{v.about(c, r, e)},
		Options: []Option{{Label: v.lang.SpeakAll(calls), Calls: calls, For: v.owner}}}
	why := v.warned(v.lang.Phrase(words.WhyUnknown, v.factName(what)), r, e)
	q.Text = v.lang.Phrase(words.AskAnyway, q.Options[0].Label, why)
	f.Action, f.Question = AskFirst, q
	return []Finding{f}
}

// factName is how a driver calls what a test's left side looks at: a signal,
// or what a read tells.
func (v *View) factName(label string) string {
	if tool, _, _ := strings.Cut(label, " "); v.cat.Tool(tool) != nil {
		return v.lang.ToolName(tool)
	}
	return v.lang.SignalName(label)
}
