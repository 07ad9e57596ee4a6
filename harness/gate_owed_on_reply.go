// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/rules"
)

// owedOnReply looks at a reply: a call of an earlier step that triggered a
// rule binds until the rule was discharged once. What is still owed under the
// state as it is now is put in place of the reply and carried out before
// anything is said.
func owedOnReply(v *View) []Finding {
	if !v.speaks() || len(v.bound) == 0 {
		return nil
	}
	pl := v.plan()
	out := v.owedFindings(pl, rules.AutoAction)
	for i := range out {
		out[i].Remedy.DropText = true
		out[i].Note += "; it is owed for an earlier call, so it comes before the reply"
	}
	return out
}
