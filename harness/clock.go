// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

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
		n = (int(t.Weekday())+6)%7 + 1
	case "now.hour":
		n = t.Hour()
	case "now.minute":
		n = t.Minute()
	default:
		return vehicle.Value{}
	}
	return vehicle.NumberOf(float64(n))
}
