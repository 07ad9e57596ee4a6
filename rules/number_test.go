// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"math"
	"testing"

	"github.com/carguardd/carguardd/vehicle"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		unit vehicle.Unit
		want float64
		ok   bool
	}{
		{"30", "percent", 30, true}, {"30%", "percent", 30, true}, {" 30 % ", "", 30, true}, {"15.0km", "km", 15, true},
		{"15km", "m", 15000, true}, {"-4.5 °C", "Celsius", -4.5, true}, {"68F", "Celsius", 20, true}, {"50 kph", "m/s", 13.8888889, true},
		{"90 minutes", "h", 1.5, true}, {"2 hours", "min", 120, true}, {"30s", "s", 30, true}, {"7 deg", "degrees", 7, true}, {"300 lx", "lux", 300, true},
		{"15km", "percent", 0, false}, {"30 apples", "", 0, false}, {"", "", 0, false}, {"km", "km", 0, false}, {"1-2", "", 0, false}, {"1e3", "", 0, false},
	} {
		got, ok := number(vehicle.TextOf(c.text), c.unit)
		if ok != c.ok || ok && math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%q in %s: got %g %v, want %g %v", c.text, c.unit, got, ok, c.want, c.ok)
		}
	}
	if _, ok := number(vehicle.BoolOf(true), ""); ok {
		t.Error("true is no number")
	}
}

func TestNearest(t *testing.T) {
	names := []string{"window_driver_position", "fan_speed", "airflow"}
	for name, want := range map[string]string{
		"window_drivr_position": "window_driver_position", "FAN_SPEED": "fan_speed", "fan_sped": "fan_speed", "speed": "fan_speed", "temperature": "", "x": "",
	} {
		if got := nearest(name, names); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
