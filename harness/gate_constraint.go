// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"github.com/carguardd/carguardd/rules"
)

// constraintGate blocks a call that does not meet what its rule demands of it
// (must), and lets only the first calls of a draft go where a rule limits
// their number (at_most): the others wait for the next draft.
func constraintGate(v *View) []Finding {
	var out []Finding
	for _, f := range v.require(rules.Constraint) {
		if r := v.set.Rule(f.Rule); f.Action == Block && r.AtMost > 0 {
			f.Action, f.Remedy = Repair, Remedy{Defer: f.Subjects}
			f.Note = fmt.Sprintf("rule %s allows %d of these calls at a time; the call waits for the next step", r.ID, r.AtMost)
		}
		out = append(out, f)
	}
	return out
}
