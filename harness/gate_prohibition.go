// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// prohibitionGate blocks a call whose rule forbids it under the state just
// before it. What nobody can know is decided by the rule's unknown class. The
// note names the tools to use instead, where the rule does.
func prohibitionGate(v *View) []Finding {
	var out []Finding
	broken := v.eachMatch(rules.Prohibition, func(c *vehicle.Call, r *rules.Rule, e *env, m rules.Match) {
		if m.Truth == rules.Unknown {
			out = append(out, v.undecided(c, r, m.Evidence, m.Wants)...)
			return
		}
		f := v.blocked(c, r, e, m, "forbids")
		if alt := r.Forbid.Instead; len(alt) > 0 {
			f.Note += "; use " + strings.Join(alt, " or ") + " instead"
		}
		out = append(out, f)
	})
	return append(out, broken...)
}
