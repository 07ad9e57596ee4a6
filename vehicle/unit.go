// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"fmt"
	"slices"
	"strings"
)

// Unit is a unit of measurement by its VSS name; the empty unit is a bare
// number.
type Unit string

// unitInfo places a unit on its quantity's scale: base = value*factor+offset.
type unitInfo struct {
	quantity       string
	factor, offset float64
	suffix         string
}

var units = map[Unit]unitInfo{
	"":           {"number", 1, 0, ""},
	"percent":    {"ratio", 1, 0, " %"},
	"Celsius":    {"temperature", 1, 0, " °C"},
	"Fahrenheit": {"temperature", 5.0 / 9, -160.0 / 9, " °F"},
	"K":          {"temperature", 1, -273.15, " K"},
	"km/h":       {"speed", 1, 0, " km/h"},
	"m/s":        {"speed", 3.6, 0, " m/s"},
	"mph":        {"speed", 1.609344, 0, " mph"},
	"m":          {"length", 1, 0, " m"},
	"km":         {"length", 1000, 0, " km"},
	"mi":         {"length", 1609.344, 0, " mi"},
	"mm":         {"length", 0.001, 0, " mm"},
	"s":          {"time", 1, 0, " s"},
	"min":        {"time", 60, 0, " min"},
	"h":          {"time", 3600, 0, " h"},
	"kWh":        {"energy", 1, 0, " kWh"},
	"kWh/100km":  {"consumption", 1, 0, " kWh/100 km"},
	"kW":         {"power", 1, 0, " kW"},
	"W":          {"power", 0.001, 0, " W"},
	"V":          {"voltage", 1, 0, " V"},
	"A":          {"current", 1, 0, " A"},
	"degrees":    {"angle", 1, 0, "°"},
	"level":      {"level", 1, 0, ""},
	"lux":        {"illuminance", 1, 0, " lx"},
	"ppm":        {"concentration", 1, 0, " ppm"},
	"l":          {"volume", 1, 0, " l"},
	"Pa":         {"pressure", 1, 0, " Pa"},
	"bar":        {"pressure", 1e5, 0, " bar"},
}

// Units lists every unit by name, sorted.
func Units() []string {
	var l []string
	for u := range units {
		if u != "" {
			l = append(l, string(u))
		}
	}
	slices.Sort(l)
	return l
}

// Valid reports whether the unit is one of [Units] or empty.
func (u Unit) Valid() bool { _, ok := units[u]; return ok }

// Suffix is what stands behind a number when it is printed, with its space.
func (u Unit) Suffix() string { return units[u].suffix }

// Convert converts f from one unit to another of the same quantity.
func Convert(f float64, from, to Unit) (float64, error) {
	a, ok1 := units[from]
	b, ok2 := units[to]
	switch {
	case !ok1 || !ok2:
		return 0, fmt.Errorf("unknown unit %q (one of %s)", pick(!ok1, from, to), strings.Join(Units(), " "))
	case from == to:
		return f, nil
	case a.quantity != b.quantity:
		return 0, fmt.Errorf("%s is a %s and %s a %s", from, a.quantity, to, b.quantity)
	}
	return (f*a.factor + a.offset - b.offset) / b.factor, nil
}

func pick(c bool, a, b Unit) Unit {
	if c {
		return a
	}
	return b
}
