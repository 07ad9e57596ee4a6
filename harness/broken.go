// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// broken is what it means for a call that a rule on it could not be
// evaluated, as the rule's error class says: nothing, or a block. The failure
// of one rule does not open the gate for the others.
func (v *View) broken(c *vehicle.Call, r *rules.Rule, ev []rules.Evidence) []Finding {
	if r.Error == rules.ClassAllow {
		return nil
	}
	return []Finding{{Action: Block, Rule: r.ID, Subjects: []string{c.ID}, Evidence: ev,
		Note:   fmt.Sprintf("rule %s could not be evaluated", r.ID),
		Driver: words.Sentence(v.lang.Phrase(words.WhyRule, r.ID))}}
}

// ruleFailed puts into the trace that a rule panicked, once a turn.
func (v *View) ruleFailed(r *rules.Rule, p any) {
	if contains(v.failed, r.ID) {
		return
	}
	v.failed = append(v.failed, r.ID)
	v.note(fmt.Sprintf("rule %s failed: %v", r.ID, p))
}

// safely runs what evaluates a rule outside of the gates. It reports false when
// the rule broke off, which is in the trace then.
func (v *View) safely(r *rules.Rule, f func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			v.ruleFailed(r, p)
			ok = false
		}
	}()
	f()
	return true
}

var failedNote = regexp.MustCompile(`^rule \S+ failed: `)

// RuleFailed reports whether a rule could not be evaluated in the turn.
func (t *Turn) RuleFailed() bool { return slices.ContainsFunc(t.Notes, failedNote.MatchString) }
