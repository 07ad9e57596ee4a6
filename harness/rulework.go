// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
)

// owes reports whether a rule adds calls to a draft by itself.
func owes(r *rules.Rule) bool { return len(r.Owe) > 0 }

// owesTool reports whether the rule may owe a call of the tool.
func owesTool(r *rules.Rule, tool string) bool {
	return slices.ContainsFunc(r.Owe, func(o *rules.Owe) bool { return o.Call == tool })
}

// demands reports whether a rule has a test that must hold of its trigger.
func demands(r *rules.Rule) bool {
	return len(r.Need) > 0 || len(r.Must) > 0 || r.AtMost > 0
}

// unmet turns a match of a rule into "what it demands is not met".
func unmet(r *rules.Rule, e *env, m rules.Match) rules.Match {
	truth, ev, wants := r.Needs(e, &m)
	out := m
	out.Truth, out.Wants = truth.Not(), wants
	out.Evidence = append(slices.Clip(m.Evidence), ev...)
	return out
}

// say is the rule's own sentence for a match in the driver's language, else
// the policy sentence it comes from.
func (v *View) say(r *rules.Rule, e *env, m rules.Match) string {
	if s := r.Sentence(e, v.set, &m, v.lang.Code()); s != "" {
		return s
	}
	return r.Policy
}
