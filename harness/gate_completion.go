// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
)

// completionGate compares what a reply claims to have done with what was
// observed. A sentence that claims an effect must be about a write of this
// conversation that was done, and not about one that failed after that. A
// sentence that reports a state that a read showed is no claim of an effect.
// Text beside calls is checked the same way.
func completionGate(v *View) []Finding {
	if v.Draft.Text == "" || v.Draft.Report {
		return nil
	}
	var out []Finding
	for _, c := range v.lang.Claims(v.Draft.Text) {
		if why := v.unsupported(c); why != "" {
			out = append(out, Finding{Action: Say, Note: fmt.Sprintf("%q claims what was not observed: %s", c.Sentence, why)})
		}
	}
	return out
}

// unsupported says why nothing observed bears a claim out, or nothing.
func (v *View) unsupported(c Claim) string {
	var about, good, failed int
	ran := 0
	for i := range v.facts.done {
		d := &v.facts.done[i]
		if !d.write {
			continue
		}
		if d.turn == v.turn {
			ran++
		}
		t := v.cat.Tool(d.call.Tool)
		if t == nil || !v.lang.MentionsTool(c.Sentence, t.Name) {
			continue
		}
		about++
		if d.result.OK() {
			good, failed = good+1, 0
		} else {
			failed++
		}
	}
	switch {
	case good > 0 && failed == 0:
		return ""
	case failed > 0:
		return "the call for it did not succeed"
	case c.StateReport && v.wasRead(c.Sentence):
		return ""
	case len(c.Tools) == 0 && ran > 0:
		return "" // "all done" after something was done
	case len(c.Tools) == 0:
		return "nothing was carried out"
	}
	for _, name := range c.Tools {
		if t := v.cat.Tool(name); t != nil && t.Access == vehicle.Write {
			return "no call of " + name + " was carried out"
		}
	}
	return ""
}

// wasRead reports whether a read of this conversation is about what the
// sentence names.
func (v *View) wasRead(sentence string) bool {
	for i := range v.facts.done {
		d := &v.facts.done[i]
		if t := v.cat.Tool(d.call.Tool); t != nil && t.Access == vehicle.Read && d.result.OK() && v.lang.MentionsTool(sentence, t.Name) {
			return true
		}
	}
	return false
}
