// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/canbus"
)

func TestEncode(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		message string
		set     Setting
		want    string // raw value, or part of the error after "!"
		raw     uint64
	}{
		{"Plain", Set("Volt", 52.8), "", 2112},
		{"Plain", Set("Volt", 0.7), "", 28},
		{"Plain", Set("Volt", 1638.375), "", 65535},
		{"Plain", Set("Volt", 1638.38), "", 65535},
		{"Plain", Set("Volt", 1638.4), "!out of range", 0},
		{"Plain", Set("Volt", -0.02), "!out of range", 0},
		{"Plain", Set("Volt", -0.01), "", 0},
		{"Plain", Set("Temp", -21.3), "", 187},
		{"Plain", Set("Percent", 100.4), "", 100},
		{"Plain", Set("Percent", 100.5), "!out of range", 0},
		{"Plain", Set("Percent", 255), "!out of range", 0},
		{"Plain", SetText("Percent", "MOVING"), "", 254},
		{"Plain", SetText("Percent", "gone"), `!no text "gone"`, 0},
		{"Plain", SetText("Volt", "x"), "!has no texts", 0},
		{"Plain", Set("Percent", nan), "!not a finite number", 0},
		{"Plain", Set("Percent", inf), "!not a finite number", 0},
		{"Plain", Set("Rest", -inf), "!not a finite number", 0},
		{"Plain", Set("Rest", 65536), "!does not fit 16 bits", 0},
		{"Plain", Set("Rest", -1), "!does not fit 16 bits", 0},
		{"Plain", Set("Tiny", -4), "", math.MaxUint64 - 3},
		{"Plain", Set("Tiny", 4), "!does not fit 3 bits", 0},
		{"Plain", Set("Gear", 6), "", 6}, // outside of [0, 3] but it has a text
		{"Plain", Set("Gear", 5), "!out of range", 0},
		{"Plain", Set("Flag", 60), "", 1},
		{"Plain", SetRaw("Gear", 7), "", 7},
		{"Plain", SetRaw("Gear", 8), "!does not fit 3 bits", 0},
		{"Plain", SetRaw("Tiny", math.MaxUint64), "", math.MaxUint64},
		{"Plain", SetRaw("Tiny", 7), "!does not fit 3 bits", 0},
		{"Plain", Set("Nothing", 1), "!no signal Nothing", 0},
		{"Wide", Set("U64", math.Ldexp(1, 63)), "", 1 << 63},
		{"Wide", Set("U64", math.Ldexp(1, 64)), "!does not fit 64 bits", 0},
		{"Wide", SetRaw("U64", math.MaxUint64), "", math.MaxUint64},
		{"WideSigned", Set("I64", -math.Ldexp(1, 63)), "", 1 << 63},
		{"WideSigned", Set("I64", math.Ldexp(1, 63)), "!does not fit 64 bits", 0},
		{"Floats", Set("F32", 3.5), "", uint64(math.Float32bits(3.5))},
		{"Floats", Set("F32", 10.01), "!out of range", 0},
		{"Floats", Set("I31", 3), "", 1},
		{"Double", Set("F64", 0.5), "", math.Float64bits(-0.25)},
		{"Steps", Set("Coarse", 98), "", 20},
		{"Steps", Set("Coarse", 101), "!out of range", 0},
		{"Steps", Set("Odd", 65534.068), "", 65530},
	}
	for _, tt := range tests {
		m := codecMessage(t, tt.message)
		f, err := m.Encode(m.Blank(), tt.set)
		if want, bad := strings.CutPrefix(tt.want, "!"); bad {
			if !errors.Is(err, ErrEncode) || !strings.Contains(err.Error(), want) || f != (canbus.Frame{}) {
				t.Errorf("%+v: %v, %v; want %q", tt.set, f, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", tt.set, err)
			continue
		}
		if v := decodeOne(t, m, f, tt.set.Signal); v.Raw != tt.raw {
			t.Errorf("%+v: raw %d, want %d", tt.set, v.Raw, tt.raw)
		}
	}
}

// Bits of other signals, and bits of no signal, come from the base frame.
func TestEncodeKeepsOtherBits(t *testing.T) {
	m := codecMessage(t, "Plain")
	base := m.Blank()
	base.Data = canbus.Data{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}
	f, err := m.Encode(base, SetText("Gear", "r"), Set("Temp", -40))
	if err != nil || f.String() != "100#FFE7FFFF0000FFFF" {
		t.Errorf("%v, %v", f, err)
	}
	steps := codecMessage(t, "Steps")
	if _, err := steps.Encode(steps.Blank(), Set("Coarse", 50), SetRaw("Overlap", 0xFF)); err == nil || !strings.Contains(err.Error(), "shares bits") {
		t.Errorf("overlapping signals: %v", err)
	}
}

func TestEncodeRefusesBase(t *testing.T) {
	m := codecMessage(t, "Plain")
	for name, base := range map[string]canbus.Frame{
		"another message": {ID: 257, Length: 8}, "short": {ID: 256, Length: 7}, "remote": {ID: 256, Length: 8, IsRemote: true},
		"extended": {ID: 256, Length: 8, IsExtended: true}, "long": {ID: 256, Length: 9}, "zero": {},
	} {
		if f, err := m.Encode(base, Set("Percent", 1)); !errors.Is(err, ErrEncode) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	if _, err := m.Encode(m.Blank(), Set("Percent", 1), Set("Percent", 2)); err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Error(err)
	}
}

// A signal has two names where DBC cuts the long one.
func TestLongNames(t *testing.T) {
	db, err := Load("testdata/defects/long_names.dbc", Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][2]string{
		{"ClimateControlUnitStatusMessag01", "DriverSideOuterTemperatureSenso1"},
		{"ClimateControlUnitStatusMessageFromFront", "DriverSideOuterTemperatureSensorValue"},
	} {
		m, ok := db.Message(names[0])
		if !ok {
			t.Fatalf("no message %s", names[0])
		}
		if f, err := m.Encode(m.Blank(), Set(names[1], 7)); err != nil || f.String() != "100#0700000000000000" {
			t.Errorf("%v: %v, %v", names, f, err)
		}
		if f, err := m.Encode(m.Blank(), Set(names[1], 7), Set(m.Signals[0].Name, 8), Set(m.Signals[0].LongName, 9)); err == nil {
			t.Errorf("a signal given under two names was accepted: %v", f)
		}
	}
}
