// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// scope looks at a write of the student's own to all items at once while a
// sentence of the policy that no rule carries out is about the tool and holds a
// number: it may be a threshold that some of the items are on the other side
// of. It is silent for a sentence without a number, and for a call to one
// item. What rules say about items is judged exactly, by obligation and excess.
func scope(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || c.Origin != vehicle.ByStudent || !collective(t, c) {
			continue
		}
		for _, a := range v.guidance(t) {
			if numbered(a) {
				out = append(out, Finding{Action: Reconsider, Subjects: []string{c.ID},
					Note: fmt.Sprintf("%s is about all items at once, and the policy says: %q. Make sure that it holds of each", c.Canonical(), a.Policy)})
			}
		}
	}
	return out
}

// collective reports whether the call is about all items of its tool.
func collective(t *vehicle.Tool, c *vehicle.Call) bool {
	all, ok := t.Items.All()
	if !ok {
		return false
	}
	member, _ := c.Args.Get(t.Items.Arg)
	s, _ := member.Text()
	return s == all
}

// numbered reports whether a sentence holds a number.
func numbered(a *rules.Advisory) bool { return strings.ContainsAny(a.Policy, "0123456789") }

// guidance returns the sentences of the policy that no rule carries out and
// that name what the tool is about.
func (v *View) guidance(t *vehicle.Tool) []*rules.Advisory {
	var out []*rules.Advisory
	for _, a := range v.set.Advisory {
		if v.lang.MentionsTool(a.Policy, t.Name) {
			out = append(out, a)
		}
	}
	return out
}
