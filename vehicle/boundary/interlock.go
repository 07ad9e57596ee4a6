// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// interlockGate judges the profile's interlocks on what is observed now.
func interlockGate(b *Boundary, w *write) error {
	for i := range b.profile.Limits.Interlocks {
		il := &b.profile.Limits.Interlocks[i]
		if il.Signal != w.cmd.Signal || !b.guards(il, w.cmd.Value) {
			continue
		}
		for _, n := range il.Need {
			gate, evidence := n.Unmet(b.profile.Signals[n.Signal], b.cfg.Live.Get(n.Signal))
			if gate != "" {
				return &Refusal{Gate: gate, Signal: w.sig.Name, Rule: il.Name, Evidence: evidence, Text: il.Say}
			}
		}
	}
	return nil
}

// guards reports whether the interlock is about this target. A position that
// is not known may be on either side of the target: then it is.
func (b *Boundary) guards(il *vehicle.Interlock, v vehicle.Value) bool {
	if len(il.To) > 0 && !slices.ContainsFunc(il.To, v.Equal) {
		return false
	}
	if !il.Closing && !il.Opening {
		return true
	}
	target, ok1 := v.Float()
	now, ok2 := b.cfg.Live.Value(il.Signal).Float()
	return !ok1 || !ok2 || (il.Closing && target < now) || (il.Opening && target > now)
}
