// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/vehicle"

	"github.com/carguardd/carguardd/harness/words"
)

// maxSame is how often the same call may be made in one turn.
const maxSame = 2

// loopGate blocks the third identical call of a turn, a call that appears
// more than twice in one draft, and a call that was refused already: a
// refusal is final for the turn. A re-read after a write in between is no
// repetition, and key order and spacing make no difference.
func loopGate(v *View) []Finding {
	var out []Finding
	var seen map[string]int
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || c.Origin != vehicle.ByStudent || len(v.refused) == 0 && v.uses(c.Tool) <= maxSame {
			continue
		}
		key := c.Canonical()
		if why, ok := v.refused[key]; ok {
			out = append(out, Finding{Action: Block, Subjects: []string{c.ID},
				Note: c.Tool + " was refused in this turn already: " + why + "; do not try it again, tell the driver"})
			continue
		}
		if seen == nil {
			seen = map[string]int{}
		}
		seen[key]++
		if n := seen[key] + v.repeats(key, t.Access); n > maxSame {
			out = append(out, Finding{Action: Block, Subjects: []string{c.ID},
				Note:   "the same call of " + c.Tool + " was made before; stop repeating it and tell the driver what you know",
				Driver: v.lang.Phrase(words.GaveUp)})
		}
	}
	return out
}

// uses counts the calls of a tool in the draft and in this turn.
func (v *View) uses(tool string) int {
	n := 0
	for i := range v.Draft.Calls {
		if v.Draft.Calls[i].Tool == tool {
			n++
		}
	}
	for i := len(v.facts.done) - 1; i >= 0 && v.facts.done[i].turn == v.turn; i-- {
		if v.facts.done[i].call.Tool == tool {
			n++
		}
	}
	return n
}

// repeats counts how often the call was made in this turn. A write since then
// starts the count of reads anew.
func (v *View) repeats(key string, a vehicle.Access) int {
	n := 0
	for i := len(v.facts.done) - 1; i >= 0 && v.facts.done[i].turn == v.turn; i-- {
		d := &v.facts.done[i]
		if d.write && a == vehicle.Read {
			break
		}
		if d.key == key {
			n++
		}
	}
	return n
}
