// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// ArgumentUnit is the unit of a tool's argument: that of the signal which the
// argument sets. It is empty when none is known.
func ArgumentUnit(p *vehicle.Profile, t *vehicle.Tool, path vehicle.Path) vehicle.Unit {
	var u vehicle.Unit
	for _, e := range t.Sets {
		if e.To.Arg == nil || e.To.Arg.String() != path.String() || len(e.To.Map) > 0 {
			continue
		}
		s := e.Signal
		for _, id := range e.ByItem {
			s = id
		}
		if s >= 0 && int(s) < len(p.Signals) {
			u = p.Signals[s].Unit
		}
	}
	return u
}
