// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
)

// addTimes adds hours and minutes to a moment. Like the recorded car it does
// not know how months end.
func (c *Car) addTimes(args vehicle.Value) (vehicle.Value, error) {
	at := member(args, "original_datetime")
	var t [5]int
	for i, n := range []string{"year", "month", "day", "hour", "minute"} {
		f, ok := member(at, n).Float()
		if !ok {
			return vehicle.Value{}, fmt.Errorf("'%s'", n)
		}
		t[i] = int(f)
	}
	for _, add := range member(args, "times_to_add").Items() {
		for i, n := range []string{"hours", "minutes"} {
			f, ok := member(add, n).Float()
			if !ok {
				return vehicle.Value{}, fmt.Errorf("'%s'", n)
			}
			t[3+i] += int(f)
		}
	}
	t[3] += floorDiv(t[4], 60)
	t[4] = mod(t[4], 60)
	t[2] += floorDiv(t[3], 24)
	t[3] = mod(t[3], 24)
	if t[2] > 30 {
		return vehicle.Value{}, errors.New("calulation exceeds month - not supported")
	}
	return DateTime{t[0], t[1], t[2], t[3], t[4]}.Value(), nil
}

func mod(a, b int) int { return ((a % b) + b) % b }

func floorDiv(a, b int) int { return (a - mod(a, b)) / b }
