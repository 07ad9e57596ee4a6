// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
)

// policyReminder looks at a write of the student's own that a sentence of the
// policy is about which no rule carries out: whether the draft keeps to it is
// for the critic to judge. It is silent where no such sentence names what the
// tool is about, and where scope speaks of it.
func policyReminder(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || c.Origin != vehicle.ByStudent {
			continue
		}
		for _, a := range v.guidance(t) {
			if numbered(a) && collective(t, c) {
				continue
			}
			out = append(out, Finding{Action: Reconsider, Subjects: []string{c.ID},
				Note: fmt.Sprintf("the policy says %q: make sure that %s keeps to it", a.Policy, c.Canonical())})
		}
	}
	return out
}
