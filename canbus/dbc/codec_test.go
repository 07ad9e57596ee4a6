// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/canbus"
)

const codecDBC = `BU_: ECU
BO_ 256 Plain: 8 ECU
 SG_ Percent : 0|8@1+ (1,0) [0|100] "%" ECU
 SG_ Flag : 8|1@1+ (50,10) [10|60] "x" ECU
 SG_ Bit : 9|1@1+ (1,0) [0|1] "" ECU
 SG_ Gear : 10|3@1+ (1,0) [0|3] "" ECU
 SG_ Tiny : 13|3@1- (1,0) [0|0] "" ECU
 SG_ Volt : 16|16@1+ (0.025,0) [0|1638.375] "V" ECU
 SG_ Temp : 39|16@0- (0.1,-40) [-40|215] "C" ECU
 SG_ Rest : 48|16@1+ (1,0) [0|0] "" ECU
BO_ 2147483904 Wide: 8 ECU
 SG_ U64 : 0|64@1+ (1,0) [0|0] "" ECU
BO_ 257 WideSigned: 8 ECU
 SG_ I64 : 7|64@0- (1,0) [0|0] "" ECU
BO_ 258 Floats: 8 ECU
 SG_ F32 : 0|32@1- (1,0) [-10|10] "" ECU
 SG_ I31 : 32|31@1- (-2,5) [0|0] "" ECU
BO_ 259 Double: 8 ECU
 SG_ F64 : 7|64@0- (2,1) [0|0] "" ECU
BO_ 260 Steps: 8 ECU
 SG_ Coarse : 0|8@1+ (5,0) [0|98] "" ECU
 SG_ Odd : 8|16@1+ (1.0001,-2) [0|65535] "" ECU
 SG_ Overlap : 4|8@1+ (1,0) [0|0] "" ECU
VAL_ 256 Gear 0 "P" 1 "R" 2 "N" 3 "D" 6 "No Request" 7 "SNA" ;
VAL_ 256 Percent 254 "moving" 255 "Signal not available" ;
SIG_VALTYPE_ 258 F32 : 1;
SIG_VALTYPE_ 259 F64 : 2;
`

func codecMessage(t testing.TB, name string) *Message {
	t.Helper()
	db, err := Parse("codec.dbc", []byte(codecDBC), Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	m, ok := db.Message(name)
	if !ok || m.Unusable != "" {
		t.Fatalf("no message %s", name)
	}
	return m
}

func decodeOne(t *testing.T, m *Message, f canbus.Frame, name string) Value {
	t.Helper()
	vs, err := m.Decode(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vs {
		if v.Signal.Name == name {
			return v
		}
	}
	t.Fatalf("no value of %s in %v", name, vs)
	return Value{}
}

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

func signalOf(t *testing.T, m *Message, name string) *Signal {
	t.Helper()
	s, ok := m.Signal(name)
	if !ok {
		t.Fatalf("no signal %s", name)
	}
	return s
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

func TestParseSetting(t *testing.T) {
	m := codecMessage(t, "Plain")
	for text, want := range map[string]Setting{
		"Percent=12.5": Set("Percent", 12.5), "Bit=true": Set("Bit", 1), " Bit = OFF ": Set("Bit", 0),
		`Gear="no request"`: SetText("Gear", "no request"), "Gear=N": SetText("Gear", "N"), "Gear=2": Set("Gear", 2),
	} {
		if got, err := m.ParseSetting(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "Percent", "Percent=", "=1", "Other=1", "Volt=high"} {
		if got, err := m.ParseSetting(text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestInvalidTexts(t *testing.T) {
	for text, want := range map[string]bool{
		"SNA": true, "DI_GEAR_SNA": true, "GearInvalid": false, "DI_GEAR_INVALID": true, "Signal not available": true, "Not Available": true,
		"INVALID": true, "Not_Valid": true, "Error": false, "Available": false, "Valid": false, "SNAP": false, "": false, "invalid key": false,
	} {
		if got := meansInvalid(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
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

func TestValueThatMeansNone(t *testing.T) {
	for _, tc := range []struct {
		values string
		raw    int64
		ok     bool
	}{
		{`0 "Off" 1 "On" 3 "SNA"`, 3, true},
		{`0 "Off" 1 "On"`, 0, false},
		{`7 "INVALID" 6 "SNA"`, 7, true},
	} {
		db, err := Parse("x.dbc", []byte("BO_ 1 M: 1 X\n SG_ S : 0|3@1+ (1,0) [0|7] \"\" X\nVAL_ 1 S "+tc.values+" ;\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := db.Messages[0].Signal("S")
		if raw, ok := s.Values.Invalid(); raw != tc.raw || ok != tc.ok {
			t.Errorf("%s: %d, %v", tc.values, raw, ok)
		}
	}
	if _, ok := (*ValueTable)(nil).Invalid(); ok {
		t.Error("no table has a value that means none")
	}
}
