// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// suffixUnit is the unit that a number's suffix in a text stands for.
func suffixUnit(s string) (vehicle.Unit, bool) {
	switch s {
	case "":
		return "", true
	case "%", "percent":
		return "percent", true
	case "°C", "C", "degC", "celsius", "Celsius":
		return "Celsius", true
	case "°F", "F", "degF", "fahrenheit", "Fahrenheit":
		return "Fahrenheit", true
	case "°", "deg", "degrees":
		return "degrees", true
	case "kph", "km/h", "kmh":
		return "km/h", true
	case "lx", "lux":
		return "lux", true
	case "min", "minutes":
		return "min", true
	case "h", "hours":
		return "h", true
	case "s", "seconds":
		return "s", true
	}
	u := vehicle.Unit(s)
	return u, u.Valid()
}

// number reads a value as a number in the unit. A bare number is taken as it
// is; a text such as "30%" or "15.0km" has its own unit, which is converted
// when both are known.
func number(v vehicle.Value, unit vehicle.Unit) (float64, bool) {
	if f, ok := v.Float(); ok {
		return f, true
	}
	s, ok := v.Text()
	if !ok {
		return 0, false
	}
	s = strings.TrimSpace(s)
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' || end == 0 && (s[end] == '-' || s[end] == '+')) {
		end++
	}
	f, err := strconv.ParseFloat(s[:end], 64)
	if err != nil {
		return 0, false
	}
	from, ok := suffixUnit(strings.TrimSpace(s[end:]))
	if !ok {
		return 0, false
	}
	if from == "" || unit == "" || from == unit {
		return f, true
	}
	f, err = vehicle.Convert(f, from, unit)
	return f, err == nil
}

// conversion returns the linear function that takes numbers in one unit to
// another. A unit that is not known takes over the other.
func conversion(from, to vehicle.Unit, delta bool) (scale, off float64, err error) {
	if from == "" || to == "" || from == to {
		return 1, 0, nil
	}
	zero, err := vehicle.Convert(0, from, to)
	if err != nil {
		return 1, 0, err
	}
	one, err := vehicle.Convert(1, from, to)
	if delta {
		return one - zero, 0, err
	}
	return one - zero, zero, err
}
