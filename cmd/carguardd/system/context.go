// SPDX-License-Identifier: Apache-2.0

package system

import (
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// context is what surrounds the car: what was passed in, else the clock and
// the language.
func (s *System) context(name string) vehicle.Value {
	if s.o.Context != nil {
		if v := s.o.Context(name); v.Known() {
			return v
		}
	}
	if name == "language" {
		return vehicle.TextOf(s.settings.Load().Language.Code())
	}
	return Clock(s.o.Clock.Now(), name)
}

// Clock is a part of a moment by its context name, as [harness.Clock] says.
func Clock(t time.Time, name string) vehicle.Value { return harness.Clock(t, name) }
