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

// sayOf is what a rule says to the driver of a call: one of the draft, or one
// that ran and still binds.
func (v *View) sayOf(r *rules.Rule, id string) (said string) {
	said = r.Policy
	v.safely(r, func() {
		e := &env{v: v, p: &v.p, idx: indexCall(v.Draft.Calls, id)}
		e.trigger = v.callByID(id)
		for _, b := range v.bound {
			if e.trigger == nil && b.call.ID == id {
				e.trigger, e.past = &b.call, b.before
			}
		}
		all := r.Matches(e)
		at := slices.IndexFunc(all, func(m rules.Match) bool { return m.Truth == rules.True })
		if at < 0 {
			all, at = append(all, rules.Match{}), 0 // not certain
		}
		said = v.say(r, e, all[at])
	})
	return said
}

// reason is why a finding holds a call, for the driver: where it has no
// sentence of its own, that of its rule.
func (v *View) reason(f *Finding) string {
	if r := v.set.Rule(f.Rule); f.Driver == "" && r != nil {
		return v.sayOf(r, subject(f))
	}
	return f.Driver
}
