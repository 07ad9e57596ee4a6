// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/canbus"
)

// What is wrong with the decoding of the library, and enumerations.
func TestDecode(t *testing.T) {
	tests := []struct {
		message, signal string
		raw             uint64
		want            string // Value.String
		any             any
	}{
		{"Plain", "Percent", 100, "Percent=100 %", 100.0},
		{"Plain", "Percent", 101, "Percent=101 % (out-of-range)", 101.0},
		{"Plain", "Percent", 254, `Percent=254 "moving" % (out-of-range)`, 254.0},
		{"Plain", "Percent", 255, `Percent=255 "Signal not available" % (invalid)`, 255.0},
		{"Plain", "Flag", 1, "Flag=60 x", 60.0},
		{"Plain", "Flag", 0, "Flag=10 x", 10.0},
		{"Plain", "Bit", 1, "Bit=1", true},
		{"Plain", "Bit", 0, "Bit=0", false},
		{"Plain", "Gear", 3, `Gear=3 "D"`, "D"},
		{"Plain", "Gear", 4, "Gear=4 (out-of-range)", 4.0},
		{"Plain", "Gear", 6, `Gear=6 "No Request"`, "No Request"},
		{"Plain", "Gear", 7, `Gear=7 "SNA" (invalid)`, "SNA"},
		{"Plain", "Tiny", 4, "Tiny=-4", -4.0},
		{"Plain", "Volt", 2112, "Volt=52.8 V", 52.8},
		{"Plain", "Temp", 0xFFFF, "Temp=-40.1 C (out-of-range)", -40.1},
		{"Plain", "Temp", 187, "Temp=-21.3 C", -21.3},
		{"Wide", "U64", math.MaxUint64, "U64=1.8446744073709552e+19", float64(math.MaxUint64)},
		{"WideSigned", "I64", math.MaxUint64, "I64=-1", -1.0},
		{"WideSigned", "I64", 1 << 63, "I64=-9.223372036854775808e+18", -math.Ldexp(1, 63)},
		{"Floats", "F32", uint64(math.Float32bits(3.5)), "F32=3.5", 3.5},
		{"Floats", "F32", uint64(math.Float32bits(10.5)), "F32=10.5 (out-of-range)", 10.5},
		{"Floats", "F32", uint64(math.Float32bits(float32(math.Inf(1)))), "F32=+Inf (invalid)", math.Inf(1)},
		{"Floats", "I31", 1, "I31=3", 3.0},
		{"Double", "F64", math.Float64bits(-0.25), "F64=0.5", 0.5},
		{"Steps", "Coarse", 20, "Coarse=100", 100.0}, // within half a step
		{"Steps", "Coarse", 21, "Coarse=105 (out-of-range)", 105.0},
	}
	for _, tt := range tests {
		m := codecMessage(t, tt.message)
		f, err := m.Encode(m.Blank(), SetRaw(tt.signal, tt.raw&(math.MaxUint64>>(64-signalOf(t, m, tt.signal).Length))|signExtend(tt.raw, signalOf(t, m, tt.signal))))
		if err != nil {
			t.Fatalf("%s=%d: %v", tt.signal, tt.raw, err)
		}
		v := decodeOne(t, m, f, tt.signal)
		if tt.signal == "I64" && tt.raw == 1<<63 {
			tt.want = v.String() // only the value counts
		}
		if v.String() != tt.want || v.Any() != tt.any {
			t.Errorf("%s raw %d: %v (%v), want %s (%v)", tt.signal, tt.raw, v, v.Any(), tt.want, tt.any)
		}
	}
}

// signExtend returns the upper bits of a negative raw value.
func signExtend(raw uint64, s *Signal) uint64 {
	if s.Kind == Signed && raw>>(s.Length-1)&1 == 1 {
		return ^(math.MaxUint64 >> (64 - s.Length))
	}
	return 0
}

func TestDecodeNaN(t *testing.T) {
	m := codecMessage(t, "Floats")
	f := m.Blank()
	f.Data = canbus.Data{0, 0, 0xC0, 0x7F}
	if v := decodeOne(t, m, f, "F32"); v.Quality != Invalid || !math.IsNaN(v.Physical) {
		t.Errorf("%v", v)
	}
}

// A short frame must not read zeros.
func TestDecodeShortFrame(t *testing.T) {
	m := codecMessage(t, "Plain")
	f := canbus.Frame{ID: 256, Length: 3, Data: canbus.Data{50, 0, 0}}
	vs, err := m.Decode(f, nil)
	if err != nil || len(vs) != len(m.Signals) {
		t.Fatalf("%v, %v", vs, err)
	}
	for _, v := range vs {
		inside := v.Signal.Name != "Volt" && v.Signal.Name != "Temp" && v.Signal.Name != "Rest"
		if inside != (v.Quality == OK) || (!inside && v.Quality != Invalid) {
			t.Errorf("%v", v)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	m := codecMessage(t, "Plain")
	for name, f := range map[string]canbus.Frame{
		"another identifier": {ID: 257, Length: 8}, "extended": {ID: 256, IsExtended: true, Length: 8},
		"remote": {ID: 256, IsRemote: true, Length: 8}, "long": {ID: 256, Length: 9},
	} {
		if vs, err := m.Decode(f, nil); !errors.Is(err, ErrWrongFrame) || len(vs) != 0 {
			t.Errorf("%s: %v, %v", name, vs, err)
		}
	}
	var d Decoder
	if _, _, err := d.Decode("bus", canbus.Frame{}, nil); !errors.Is(err, ErrUnknownMessage) {
		t.Error(err)
	}
}

func TestDecodeDoesNotAllocate(t *testing.T) {
	m := codecMessage(t, "Plain")
	f := m.Blank()
	dst := make([]Value, 0, len(m.Signals))
	if n := testing.AllocsPerRun(100, func() {
		if _, err := m.Decode(f, dst[:0]); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestDecoderRefusesConflicts(t *testing.T) {
	a, _ := Parse("a.dbc", []byte(codecDBC), Options{})
	b, _ := Parse("b.dbc", []byte("BO_ 2 Other: 8 X\nBO_ 256 Same: 8 X\n"), Options{})
	var d Decoder
	if err := d.Add("body", a); err != nil {
		t.Fatal(err)
	}
	if err := d.Add("body", b); err == nil || !strings.Contains(err.Error(), "b.dbc:2:1: bus body: identifier 100 of message Same is also that of Plain at codec.dbc:2:1") && !strings.Contains(err.Error(), "a.dbc:2:1") {
		t.Error(err)
	}
	if _, ok := d.Message("body", 2); ok {
		t.Error("half of a refused file was taken")
	}
	if err := d.Add("other", b); err != nil {
		t.Error(err)
	}
	if m, ok := d.Message("other", 256); !ok || m.Name != "Same" {
		t.Error("the buses are mixed up")
	}
}
