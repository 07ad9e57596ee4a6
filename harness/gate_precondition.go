// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// preconditionGate checks what must hold just before a call. Where the rule
// states the exact repair, the owed call is put, or moved, before its
// trigger. Else the call is blocked with what was found.
func preconditionGate(v *View) []Finding {
	out := v.owedFindings(v.plan(), rules.Precondition)
	return append(out, v.require(rules.Precondition)...)
}

// require blocks calls whose rule of the given kind needs something that does
// not hold. Rules that state a repair are left to the plan.
func (v *View) require(kind rules.Type) []Finding {
	var out []Finding
	broken := v.eachMatch(kind, func(c *vehicle.Call, r *rules.Rule, e *env, m rules.Match) {
		if owes(r) || m.Truth != rules.True || !demands(r) {
			return
		}
		switch n := unmet(r, e, m); n.Truth {
		case rules.True:
			out = append(out, v.blocked(c, r, e, n, "needs"))
		case rules.Unknown:
			out = append(out, v.undecided(c, r, n.Evidence, n.Wants)...)
		}
	})
	return append(out, broken...)
}

// eachMatch calls f for every match that is not false of every triggered rule
// of a kind on the calls of the draft. A match that is unknown arrives at f
// only when no read is left that would settle it. It returns what follows from
// rules that could not be evaluated.
func (v *View) eachMatch(kind rules.Type, f func(*vehicle.Call, *rules.Rule, *env, rules.Match)) (broken []Finding) {
	for i := range v.Draft.Calls {
		if v.p.tools[i] == nil {
			continue
		}
		for _, r := range v.set.On(v.Draft.Calls[i].Tool) {
			if r.Type == kind {
				broken = append(broken, v.matches(i, r, f)...)
			}
		}
	}
	return broken
}

// matches is [View.eachMatch] for one call and one rule.
func (v *View) matches(i int, r *rules.Rule, f func(*vehicle.Call, *rules.Rule, *env, rules.Match)) (broken []Finding) {
	c := &v.Draft.Calls[i]
	defer func() {
		if p := recover(); p != nil {
			v.ruleFailed(r, p)
			broken = v.broken(c, r, nil)
		}
	}()
	e := v.envFor(i)
	truth, ev, wants := r.Triggered(e)
	switch truth {
	case rules.False:
	case rules.Unknown:
		f(c, r, e, rules.Match{Truth: rules.Unknown, Evidence: ev, Wants: wants})
	default:
		for _, m := range r.Matches(e) {
			if m.Truth != rules.False {
				f(c, r, e, m)
			}
		}
	}
	return nil
}

// blocked is the finding that a rule forbids the call as things are.
func (v *View) blocked(c *vehicle.Call, r *rules.Rule, e *env, m rules.Match, verb string) Finding {
	ev := m.Evidence
	note := fmt.Sprintf("rule %s %s: %s", r.ID, verb, r.Policy)
	for _, x := range ev {
		note += fmt.Sprintf("; %s = %v (%s %v)", x.Left, x.Value, x.Op, x.Right)
	}
	return Finding{Action: Block, Rule: r.ID, Subjects: []string{c.ID}, Evidence: ev, Note: note, Driver: v.say(r, e, m)}
}
