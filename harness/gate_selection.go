// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// selectionGate blocks a call that takes another candidate than the one its
// rule chooses among observed peers. With exactly one right candidate the
// note names it.
func selectionGate(v *View) []Finding {
	var out []Finding
	v.eachMatch(rules.Selection, func(c *vehicle.Call, r *rules.Rule, e *env, m rules.Match) {
		if m.Truth != rules.True {
			return
		}
		truth, choice, _ := r.Chooses(e, &m)
		if truth != rules.False {
			return
		}
		f := v.blocked(c, r, e, m, "chooses")
		f.Note += fmt.Sprintf("; %s is not it, take %s", choice.Chosen, strings.Join(choice.Better, " or "))
		out = append(out, f)
	})
	return out
}
