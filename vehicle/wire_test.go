// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
)

const wireDBC = `VERSION ""
BS_:
BU_: A B
BO_ 1 M: 8 A
 SG_ Plain : 0|8@1+ (0.5,-10) [-10|90] "Celsius" B
 SG_ Texts : 8|3@1+ (1,0) [0|7] "" B
 SG_ Bit : 11|1@1+ (1,0) [0|1] "" B
 SG_ Signed : 16|8@1- (1,0) [-100|100] "" B
 SG_ Big : 31|12@0+ (1,0) [0|4095] "" B
 SG_ Switch M : 40|4@1+ (1,0) [0|15] "" B
 SG_ Muxed m3 : 44|4@1+ (1,0) [0|15] "" B
BO_ 2 Broken: 1 A
 SG_ Outside : 4|8@1+ (1,0) [0|0] "" B
VAL_ 1 Texts 0 "off" 1 "low" 2 "HIGH" 7 "SNA" ;
VAL_ 1 Plain 255 "SNA" ;
`

func wireDB(t *testing.T) *dbc.Database {
	t.Helper()
	db, err := dbc.Parse("wire.dbc", []byte(wireDBC), dbc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func TestWireTranslates(t *testing.T) {
	unknown := vehicle.Value{}
	for _, c := range []struct {
		name    string
		signal  vehicle.Signal
		binding vehicle.Binding
		raw     uint64
		want    vehicle.Value
		oneWay  bool
	}{
		{"a number", vehicle.Signal{Type: vehicle.TypeNumber}, vehicle.Binding{Signal: "Plain"}, 61, vehicle.NumberOf(20.5), false},
		{"a number that says it is none", vehicle.Signal{Type: vehicle.TypeNumber}, vehicle.Binding{Signal: "Plain"}, 255, unknown, true},
		{"a number out of the dbc's range", vehicle.Signal{Type: vehicle.TypeNumber}, vehicle.Binding{Signal: "Plain"}, 220, unknown, true},
		{"a negative number", vehicle.Signal{Type: vehicle.TypeInteger}, vehicle.Binding{Signal: "Signed"}, ^uint64(0) - 4, vehicle.NumberOf(-5), false},
		{"a bit", vehicle.Signal{Type: vehicle.TypeBool}, vehicle.Binding{Signal: "Bit"}, 1, vehicle.BoolOf(true), false},
		{"a boolean of several bits", vehicle.Signal{Type: vehicle.TypeBool}, vehicle.Binding{Signal: "Texts"}, 2, unknown, true},
		{"a boolean by words", vehicle.Signal{Type: vehicle.TypeBool}, vehicle.Binding{Signal: "Texts", Values: map[string]vehicle.Value{
			"off": vehicle.BoolOf(false), "high": vehicle.BoolOf(true)}}, 2, vehicle.BoolOf(true), false},
		{"an enum by the dbc's texts", vehicle.Signal{Type: vehicle.TypeEnum, Allowed: []string{"OFF", "LOW", "HIGH"}}, vehicle.Binding{Signal: "Texts"}, 1, vehicle.TextOf("LOW"), false},
		{"an enum by words", vehicle.Signal{Type: vehicle.TypeEnum, Allowed: []string{"A", "B"}}, vehicle.Binding{Signal: "Texts", Values: map[string]vehicle.Value{
			"low": vehicle.TextOf("A"), "2": vehicle.TextOf("B")}}, 2, vehicle.TextOf("B"), false},
		{"a text that is no member", vehicle.Signal{Type: vehicle.TypeEnum, Allowed: []string{"OFF"}}, vehicle.Binding{Signal: "Texts"}, 7, unknown, true},
		{"a raw value without text", vehicle.Signal{Type: vehicle.TypeEnum, Allowed: []string{"OFF"}}, vehicle.Binding{Signal: "Texts"}, 5, unknown, true},
		{"a word that means nothing is known", vehicle.Signal{Type: vehicle.TypeInteger}, vehicle.Binding{Signal: "Texts", Values: map[string]vehicle.Value{"6": unknown}}, 6, unknown, true},
		{"a negative word", vehicle.Signal{Type: vehicle.TypeEnum, Allowed: []string{"R"}}, vehicle.Binding{Signal: "Signed", Values: map[string]vehicle.Value{"-1": vehicle.TextOf("R")}}, ^uint64(0), vehicle.TextOf("R"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.signal.Name, c.binding.Message = "s", "M"
			w, err := vehicle.NewWire(&c.signal, &c.binding, wireDB(t))
			if err != nil {
				t.Fatal(err)
			}
			m := w.Message()
			mask := uint64(1)<<w.DBC.Length - 1
			raw := c.raw
			if w.DBC.Kind == dbc.Unsigned {
				raw &= mask
			}
			f, err := m.Encode(m.Blank(), dbc.SetRaw(w.DBC.Name, raw))
			if err != nil {
				t.Fatal(err)
			}
			values, err := m.Decode(f, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				if v.Signal != w.DBC {
					continue
				}
				if got := w.Value(v); !got.Equal(c.want) {
					t.Fatalf("raw %d is %v, want %v", c.raw, got, c.want)
				}
			}
			if c.oneWay {
				return
			}
			set, err := w.Setting(c.want)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := m.Encode(m.Blank(), set); err != nil || back != f {
				t.Fatalf("%v is sent as %v, want %v (%v)", c.want, back, f, err)
			}
		})
	}
}

func TestWireRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		signal  vehicle.Signal
		binding vehicle.Binding
		want    string
	}{
		{"no message", vehicle.Signal{}, vehicle.Binding{Message: "N", Signal: "X"}, `no message "N"`},
		{"no signal", vehicle.Signal{}, vehicle.Binding{Message: "M", Signal: "X"}, `no signal "X"`},
		{"a signal outside its message", vehicle.Signal{}, vehicle.Binding{Message: "Broken", Signal: "Outside"}, "cannot be used"},
		{"a text", vehicle.Signal{Type: vehicle.TypeText}, vehicle.Binding{Message: "M", Signal: "Plain"}, "does not fit into a frame"},
		{"an enum without words", vehicle.Signal{Type: vehicle.TypeEnum, Allowed: []string{"A"}}, vehicle.Binding{Message: "M", Signal: "Plain"}, "no raw value stands for"},
		{"a word of nobody", vehicle.Signal{Type: vehicle.TypeBool}, vehicle.Binding{Message: "M", Signal: "Texts", Values: map[string]vehicle.Value{"hihg": vehicle.BoolOf(true)}}, `"hihg" is neither`},
		{"idle of nobody", vehicle.Signal{}, vehicle.Binding{Message: "M", Signal: "Texts", Idle: "none"}, "idle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.signal.Name = "s"
			if _, err := vehicle.NewWire(&c.signal, &c.binding, wireDB(t)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
		})
	}
	if _, err := vehicle.NewWire(&vehicle.Signal{}, &vehicle.Binding{Bus: "body"}, nil); err == nil {
		t.Fatal("no dbc is no error")
	}
	w, err := vehicle.NewWire(&vehicle.Signal{Name: "s", Type: vehicle.TypeBool}, &vehicle.Binding{Message: "M", Signal: "Bit"}, wireDB(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Setting(vehicle.NumberOf(1)); err == nil {
		t.Fatal("a number was sent for a boolean")
	}
}

func TestWireMask(t *testing.T) {
	for name, want := range map[string]uint64{
		"Plain": 0xFF, "Texts": 0x700, "Bit": 0x800, "Signed": 0xFF0000,
		"Big":   0xF0_FF_00_00_00, // a byte, and the high half of the next
		"Muxed": 0xFF_00_00_00_00_00,
	} {
		w, err := vehicle.NewWire(&vehicle.Signal{Name: "s"}, &vehicle.Binding{Message: "M", Signal: name}, wireDB(t))
		if err != nil {
			t.Fatal(err)
		}
		if w.Mask() != want {
			t.Errorf("mask of %s is %#x, want %#x", name, w.Mask(), want)
		}
		if sel := w.Select(); (len(sel) == 1) != (name == "Muxed") {
			t.Errorf("%s is selected by %v", name, sel)
		}
	}
}
