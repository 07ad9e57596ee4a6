// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/rules"
)

// owedOnReply looks at a reply: a call of an earlier step that triggered a
// rule binds until the rule was discharged once. What is still owed under the
// state as it is now is put in place of the reply and carried out before
// anything is said. So is what a rule about replies, or about a result, owes;
// the reads that such a rule needs are demanded here.
func owedOnReply(v *View) []Finding {
	if !v.speaks() || len(v.bound) == 0 && len(v.set.OnReply()) == 0 {
		return nil
	}
	pl := v.plan()
	var out []Finding
	for _, w := range pl.waits {
		out = append(out, v.demand(w.trigger, w.rule, w.evidence, w.wants)...)
	}
	if len(out) > 0 {
		return out
	}
	out = v.owedFindings(pl, rules.AutoAction)
	for i := range out {
		out[i].Remedy.DropText = true
		out[i].Note += "; it is owed for an earlier call, so it comes before the reply"
	}
	return out
}
