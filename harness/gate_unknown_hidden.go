// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// unknownHidden looks at a reply after reads that left something open: a
// field that was null, "unknown" or missing, and that no later read told. It
// matters for the reply when the reply names it, or when the reply claims an
// effect and a write that was carried out since then changes that signal, or
// triggers a rule that tests it. The reply must say so, once in the
// conversation: a text that admits that something is not known, in this reply
// or in one since the read, is enough. What is open elsewhere is nobody's
// business. A write of our own does not make known what was there.
func unknownHidden(v *View) []Finding {
	if len(v.facts.gaps) == 0 || !v.speaks() || v.Draft.Report || v.Draft.Text == "" {
		return nil
	}
	if v.listens() == nil || v.says(v.Draft.Text, words.Limit) {
		return nil
	}
	claims := v.lang.ReplyIs(v.Draft.Text, rules.ReplyClaim)
	asks := v.lang.ReplyIs(v.Draft.Text, rules.ReplyQuestion)
	var open []string
	for i := range v.facts.gaps {
		g := &v.facts.gaps[i]
		if (claims && v.restsOn(g) || !asks && v.names(g)) && !v.admitted(g.turn) {
			open = append(open, v.factName(v.cat.Profile.Signals[g.signal].Name))
		}
	}
	if len(open) == 0 {
		return nil
	}
	said := words.Sentence(v.lang.Phrase(words.WhyUnknown, v.lang.List(open)))
	return []Finding{{Action: Repair, Remedy: Remedy{Text: strings.TrimSpace(v.Draft.Text + " " + said)}, Driver: said,
		Note: "the reply reports success and hides that nothing is known of " + strings.Join(open, ", ")}}
}

// names reports whether the reply names the signal.
func (v *View) names(g *gap) bool {
	return g.signal != vehicle.NoSignal && slices.Contains(v.topic(v.Draft.Text).signals, g.signal)
}

// restsOn reports whether a write that was carried out since the read changes
// the signal, or triggers a rule that tests it.
func (v *View) restsOn(g *gap) bool {
	if g.signal == vehicle.NoSignal {
		return false
	}
	name := v.cat.Profile.Signals[g.signal].Name
	for i := range v.facts.done {
		d := &v.facts.done[i]
		t := v.cat.Tool(d.call.Tool)
		if t == nil || !d.write || !d.result.OK() || d.turn < g.turn {
			continue
		}
		if slices.ContainsFunc(assigns(t, &d.call, nil), func(a vehicle.Assignment) bool { return a.Signal == g.signal }) {
			return true
		}
		for _, r := range v.set.On(t.Name) {
			if !slices.ContainsFunc(r.Requirements(), func(q rules.Requirement) bool { return q.Field == name }) {
				continue
			}
			if truth, _, _ := r.Triggered(&env{v: v, p: &v.p, trigger: &d.call, idx: -1}); truth != rules.False {
				return true
			}
		}
	}
	return false
}

// admitted reports whether the assistant said, since the turn began, that
// something is not known.
func (v *View) admitted(turn int) bool {
	now := 0
	for i := range v.history.messages {
		m := &v.history.messages[i]
		if m.Role == User {
			now++
		}
		if now >= turn && m.Role == Assistant && len(m.Calls) == 0 && m.Text != "" && v.says(m.Text, words.Limit) {
			return true
		}
	}
	return false
}
