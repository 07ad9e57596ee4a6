// SPDX-License-Identifier: Apache-2.0

package system

import (
	"time"

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

// Clock is a part of a moment by its context name: now.year, now.month,
// now.day, now.weekday (1 is Monday), now.hour, now.minute. Other names are
// unknown.
func Clock(t time.Time, name string) vehicle.Value {
	n := 0
	switch name {
	case "now.year":
		n = t.Year()
	case "now.month":
		n = int(t.Month())
	case "now.day":
		n = t.Day()
	case "now.weekday":
		if n = int(t.Weekday()); n == 0 {
			n = 7
		}
	case "now.hour":
		n = t.Hour()
	case "now.minute":
		n = t.Minute()
	default:
		return vehicle.Value{}
	}
	return vehicle.NumberOf(float64(n))
}
