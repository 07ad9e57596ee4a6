// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// substitution looks at a write of the student's own while the driver's words
// ask for something to be removed. Where an offered write whose name says that
// it removes may change the same signal, and the drafted one does not say so,
// the draft puts something in the place of what was to go. It is silent when
// nothing is to be removed, when the drafted write removes, and when it
// concerns something else. What a name says is a guess; an advisory blocks
// nothing.
func substitution(v *View) []Finding {
	if v.listens() == nil || !v.writes() || !v.wantsRemoval() {
		return nil
	}
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || c.Origin != vehicle.ByStudent || v.removes(t) {
			continue
		}
		for _, o := range v.cat.Tools {
			if o.Access == vehicle.Write && o.Name != t.Name && v.removes(o) && sameSignals(o, t) {
				out = append(out, Finding{Action: Reconsider, Subjects: []string{c.ID},
					Note: fmt.Sprintf("the driver wants something removed, and %s does not remove: %s does", t.Name, o.Name)})
				break
			}
		}
	}
	return out
}

// removes reports whether a tool's name says that it removes.
func (v *View) removes(t *vehicle.Tool) bool { return v.says(words.Humanize(t.Name), words.Removal) }
