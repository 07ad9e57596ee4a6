// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// selectionGate blocks a call that takes another candidate than the one its
// rule chooses among observed peers. With exactly one right candidate the
// note names it. Whether a candidate that nobody observed is the right one is
// not known: the rule's unknown class decides.
func selectionGate(v *View) []Finding {
	var out []Finding
	broken := v.eachMatch(rules.Selection, func(c *vehicle.Call, r *rules.Rule, e *env, m rules.Match) {
		if m.Truth == rules.Unknown {
			out = append(out, v.undecided(c, r, m.Evidence, m.Wants)...)
			return
		}
		truth, choice, wants := r.Chooses(e, &m)
		switch truth {
		case rules.True:
			return
		case rules.Unknown:
			ev := rules.Evidence{Left: c.Tool + " " + r.Choose.Arg, Value: vehicle.TextOf(choice.Chosen), Op: "observed", Truth: rules.Unknown}
			out = append(out, v.undecided(c, r, append(slices.Clip(m.Evidence), ev), wants)...)
			return
		}
		f := v.blocked(c, r, e, m, "chooses")
		f.Note += fmt.Sprintf("; %s is not it, take %s", choice.Chosen, strings.Join(choice.Better, " or "))
		out = append(out, f)
	})
	return append(out, broken...)
}
