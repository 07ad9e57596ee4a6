// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
)

// outwardDuplicate looks at a call that reaches somebody outside and cannot be
// taken back, when another one of the same tool went out in this conversation
// or stands before it in the draft: it may be the same message in other words.
// With equal arguments it is the repeated-irreversible gate's. It is silent
// for the first such call, and for writes that stay in the car.
func outwardDuplicate(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || !t.Outward || c.Origin != vehicle.ByStudent {
			continue
		}
		if old := v.wentOut(i); old != "" && old != c.Canonical() {
			out = append(out, Finding{Action: Reconsider, Subjects: []string{c.ID},
				Note: fmt.Sprintf("%s went out already: make sure that the driver wants %s too", old, c.Canonical())})
		}
	}
	return out
}

// wentOut returns the newest other call of the tool of call i that stands
// before it in the draft, or was carried out.
func (v *View) wentOut(i int) string {
	tool := v.Draft.Calls[i].Tool
	for j := i - 1; j >= 0; j-- {
		if v.Draft.Calls[j].Tool == tool {
			return v.Draft.Calls[j].Canonical()
		}
	}
	for k := len(v.facts.done) - 1; k >= 0; k-- {
		if d := &v.facts.done[k]; d.write && d.result.OK() && d.call.Tool == tool {
			return d.call.Canonical()
		}
	}
	return ""
}
