// SPDX-License-Identifier: Apache-2.0

package dbc

import "testing"

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
