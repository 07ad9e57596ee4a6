// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cross/sharedtest"
)

// muxDBC has two switches: Mode after what it selects, and Page inside of it.
const muxDBC = `BU_: ECU
BO_ 512 Mux: 8 ECU
 SG_ Early m1 : 8|8@1+ (1,0) [0|0] "" ECU
 SG_ Always : 56|8@1+ (1,0) [0|0] "" ECU
 SG_ Page m2M : 8|8@1+ (1,0) [0|0] "" ECU
 SG_ Mode M : 0|8@1+ (1,0) [0|0] "" ECU
 SG_ P0 m0 : 16|8@1+ (1,0) [0|0] "" ECU
 SG_ P1a m1 : 16|8@1+ (1,0) [0|0] "" ECU
 SG_ P1b m1 : 24|8@1+ (1,0) [0|0] "" ECU
 SG_ Wide m5 : 16|16@1+ (1,0) [0|0] "" ECU
BO_ 513 Signed: 8 ECU
 SG_ Mode M : 0|4@1- (1,0) [0|0] "" ECU
 SG_ Value m12 : 8|8@1+ (1,0) [0|0] "" ECU
SG_MUL_VAL_ 512 Page Mode 2-2;
SG_MUL_VAL_ 512 P0 Page 0-0;
SG_MUL_VAL_ 512 P1a Page 1-1;
SG_MUL_VAL_ 512 P1b Page 1-1, 7-9;
SG_MUL_VAL_ 512 Wide Mode 5-6, 100-255;
`

func muxMessage(t testing.TB) *Message {
	t.Helper()
	db, err := Parse("mux.dbc", []byte(muxDBC), Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := db.Message("Mux")
	return m
}

func names(vs []Value) string {
	var out []string
	for _, v := range vs {
		out = append(out, v.Signal.Name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestDecodeMux(t *testing.T) {
	m := muxMessage(t)
	for data, want := range map[canbus.Data]string{
		{1}:      "Always Early Mode",
		{2, 0}:   "Always Mode P0 Page",
		{2, 1}:   "Always Mode P1a P1b Page",
		{2, 8}:   "Always Mode P1b Page",
		{2, 10}:  "Always Mode Page",
		{5}:      "Always Mode Wide",
		{100, 1}: "Always Mode Wide",
		{255}:    "Always Mode Wide",
		{0}:      "Always Mode", // a value that selects nothing is no error
		{7, 1}:   "Always Mode",
	} {
		f := m.Blank()
		f.Data = data
		vs, err := m.Decode(f, nil)
		if got := names(vs); err != nil || got != want {
			t.Errorf("% X: %s, %v; want %s", data, got, err, want)
		}
	}
	// A frame too short for the switch selects nothing.
	vs, err := m.Decode(canbus.Frame{ID: 512}, nil)
	if got := names(vs); err != nil || got != "Always Mode" || vs[0].Quality != Invalid || vs[1].Quality != Invalid {
		t.Errorf("empty frame: %v, %v", vs, err)
	}
}

// A switch may be signed in the file; its values are compared as bits.
func TestSignedSwitch(t *testing.T) {
	m, _ := muxMessage(t).database.Message("Signed")
	f, err := m.Encode(m.Blank(), Set("Mode", -4), Set("Value", 9))
	if err != nil || f.String() != "201#0C09000000000000" {
		t.Fatalf("%v, %v", f, err)
	}
	if vs, err := m.Decode(f, nil); err != nil || names(vs) != "Mode Value" {
		t.Errorf("%v, %v", vs, err)
	}
}

func TestEncodeMux(t *testing.T) {
	m := muxMessage(t)
	page1 := m.Blank()
	page1.Data = canbus.Data{2, 1, 10, 20, 0, 0, 0, 99}
	tests := []struct {
		name string
		base canbus.Frame
		set  []Setting
		want string
	}{
		{"same branch", page1, []Setting{Set("P1a", 11)}, "200#02010B1400000063"},
		{"always there", page1, []Setting{Set("Always", 1)}, "200#02010A1400000001"},
		{"switch and all it selects", page1, []Setting{Set("Wide", 0x1234), Set("Mode", 5)}, "200#0501341200000063"},
		{"inner switch", page1, []Setting{Set("P0", 7), Set("Page", 0)}, "200#0200071400000063"},
		{"switch that selects nothing", page1, []Setting{Set("Mode", 0)}, "200#00010A1400000063"},
		{"not selected", page1, []Setting{Set("P0", 7)}, "!set Page to 0 and Mode to 2 as well"},
		{"not selected, range", page1, []Setting{Set("Wide", 7)}, "!set Mode to 5-6 or 100-255 as well"},
		{"switch alone", page1, []Setting{Set("Mode", 5)}, "!switch Mode changes to 5: signal Wide must be given as well"},
		{"inner switch, half its signals", page1, []Setting{Set("Mode", 1), Set("Early", 3), Set("P1a", 3)}, "!P1a is multiplexed and not selected"},
		{"page in part", m.Blank(), []Setting{Set("Mode", 2), Set("Page", 1), Set("P1a", 3)}, "!signal P1b must be given as well"},
		{"page whole", m.Blank(), []Setting{Set("P1b", 4), Set("P1a", 3), Set("Page", 1), Set("Mode", 2)}, "200#0201030400000000"},
	}
	for _, tt := range tests {
		f, err := m.Encode(tt.base, tt.set...)
		if want, bad := strings.CutPrefix(tt.want, "!"); bad {
			if !errors.Is(err, ErrEncode) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, %v; want %q", tt.name, f, err, want)
			}
		} else if err != nil || f.String() != tt.want {
			t.Errorf("%s: %v, %v; want %s", tt.name, f, err, tt.want)
		}
	}
}

func TestDefaults(t *testing.T) {
	db, err := Parse("x.dbc", []byte(`BO_ 1 M: 8 ECU
 SG_ S m0 : 8|8@1+ (1,0) [0|0] "" X
 SG_ T m1 : 8|8@1+ (1,0) [0|0] "" X
 SG_ Mode M : 0|8@1+ (1,0) [0|0] "" X
 SG_ Temp : 16|8@1- (0.5,10) [0|0] "" X
 SG_ None : 24|8@1+ (1,0) [0|0] "" X
 SG_ F : 32|32@1- (1,0) [0|0] "" X
SIG_VALTYPE_ 1 F : 1;
BA_DEF_ SG_ "GenSigStartValue" FLOAT 0 0;
BA_DEF_DEF_ "GenSigStartValue" 0;
BA_ "GenSigStartValue" SG_ 1 Mode 1;
BA_ "GenSigStartValue" SG_ 1 S 7;
BA_ "GenSigStartValue" SG_ 1 T 9;
BA_ "GenSigStartValue" SG_ 1 Temp -2;
BA_ "GenSigStartValue" SG_ 1 F 1.5;
`), Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := db.Message("M")
	f, missing := m.Defaults()
	if f.String() != "001#0109FE000000C03F" || strings.Join(missing, " ") != "None" {
		t.Errorf("%v, missing %v", f, missing)
	}
	if a, ok := m.Signals[4].Attribute("GenSigStartValue"); !ok || a.Number != 0 || m.Signals[4].HasStart {
		t.Errorf("default of an attribute: %v %v", a, ok)
	}
}

// The extended multiplexing of real files decodes the branch that is selected.
func TestPublicMuxFiles(t *testing.T) {
	dir := sharedtest.Path(t, "dbc")
	db, err := Load(filepath.Join(dir, "cantools/tests__files__dbc__multiplex_2.dbc"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, ok := db.Message("Extended")
	if !ok {
		t.Fatal("no message Extended")
	}
	for data, want := range map[canbus.Data]string{
		{0: 0x00, 4: 1}: "S0 S1 S2 S3 S6 S7",
		{0: 0x20, 4: 2}: "S0 S1 S4 S6 S8",
		{0: 0x30, 4: 3}: "S0 S1 S6",
		{0: 0x01, 4: 3}: "S0 S5 S6",
		{0: 0x02}:       "S0 S6",
	} {
		f := m.Blank()
		f.Data = data
		vs, err := m.Decode(f, nil)
		if got := names(vs); err != nil || got != want {
			t.Errorf("% X: %s, %v; want %s", data, got, err, want)
		}
	}
	for _, s := range m.Signals {
		if s.Unusable != "" {
			t.Errorf("%s: %s", s.Name, s.Unusable)
		}
	}
}
