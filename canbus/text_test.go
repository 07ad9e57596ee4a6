// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"errors"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

func TestFrameIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(Frame{}); n > 16 {
		t.Errorf("a frame has %d bytes, want at most 16", n)
	}
}

func TestParseFrame(t *testing.T) {
	tests := []struct {
		text, want string // want: the normal form, or part of the error after "!"
	}{
		{"123#", "123#"},
		{"123#0102", "123#0102"},
		{"7ff#aabbccddeeff0011", "7FF#AABBCCDDEEFF0011"},
		{"123#11.22.33", "123#112233"},
		{"123#11.2233", "123#112233"},
		{"18FF0001#00", "18FF0001#00"},
		{"00000123#00", "00000123#00"},
		{"123#R", "123#R"},
		{"123#r", "123#R"},
		{"123#R0", "123#R"},
		{"123#R8", "123#R8"},
		{"123#R8_9", "123#R8"},
		{"123#1122334455667788_E", "123#1122334455667788"},
		{"", "!no '#'"},
		{"123", "!no '#'"},
		{"FFF#00", "!more than 11 bits"},
		{"FFFFFFFF#00", "!unknown flags"},
		{"80000001#00", "!more than 29 bits"},
		{"40000001#00", "!more than 29 bits"},
		{"12#00", "!want 3 (standard) or 8"},
		{"1234#00", "!want 3 (standard) or 8"},
		{"12x#00", "!want 3 (standard) or 8"},
		{"+12#00", "!want 3 (standard) or 8"},
		{"123#0", "!odd number"},
		{"123#0g", "!not hexadecimal"},
		{"123#112233445566778899", "!more than 8 bytes"},
		{"123#R9", "!remote length"},
		{"123#R12", "!remote length"},
		{"123#1122_9", "!raw length code"},
		{"123#1122334455667788_8", "!raw length code"},
		{"123#.11", "!not hexadecimal"},
		{"213##1AABBCC", "!CAN FD is not supported"},
		{"45123#81:00:12345678#112233", "!CAN XL is not supported"},
		{"20000040#0000000000000000", "!error frame"},
		{"20000040#R", "!no remote form"},
	}
	for _, tt := range tests {
		f, err := ParseFrame(tt.text)
		if want, bad := strings.CutPrefix(tt.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("ParseFrame(%q) = %v, %v; want an error with %q", tt.text, f, err, want)
			}
			continue
		}
		if err != nil || f.String() != tt.want {
			t.Errorf("ParseFrame(%q) = %v, %v; want %s", tt.text, f, err, tt.want)
		}
	}
}

func TestParseFrameErrorKinds(t *testing.T) {
	if _, err := ParseFrame("213##1AA"); !errors.Is(err, ErrNotSupported) {
		t.Errorf("CAN FD: %v", err)
	}
	if _, err := ParseFrame("20000004#0008000000000000"); !errors.Is(err, ErrErrorFrame) {
		t.Errorf("error frame: %v", err)
	}
	if _, err := ParseFrame("FFF#00"); !errors.Is(err, ErrInvalidFrame) {
		t.Errorf("large identifier: %v", err)
	}
}

func TestValidate(t *testing.T) {
	for name, f := range map[string]Frame{
		"standard identifier": {ID: 0x800},
		"extended identifier": {ID: 0x20000000, IsExtended: true},
		"length":              {Length: 9},
	} {
		if err := f.Validate(); !errors.Is(err, ErrInvalidFrame) {
			t.Errorf("%s: %v", name, err)
		}
		_ = f.String() // must not panic
		if b, err := f.MarshalText(); err == nil {
			t.Errorf("%s: marshalled to %s", name, b)
		}
	}
	if f := (Frame{ID: 0x7FF, Length: 8}); f.Validate() != nil {
		t.Error(f.Validate())
	}
	if _, err := NewFrame(0x100, make([]byte, 9)...); err == nil {
		t.Error("nine bytes were accepted")
	}
}

func TestKey(t *testing.T) {
	for _, s := range []string{"000", "7FF", "00000000", "1FFFFFFF", "00000100"} {
		k, err := ParseKey(s)
		if err != nil || k.String() != s {
			t.Errorf("ParseKey(%q) = %v, %v", s, k, err)
		}
	}
	for _, s := range []string{"", "1", "800", "20000000", "FFFFFFFF", "xyz", "+12"} {
		if k, err := ParseKey(s); err == nil {
			t.Errorf("ParseKey(%q) = %v", s, k)
		}
	}
	if MakeKey(0x100, false) == MakeKey(0x100, true) {
		t.Error("standard and extended 0x100 are the same key")
	}
}

// genFrame makes valid frames in their normal form.
func genFrame(t *rapid.T) Frame {
	f := Frame{IsExtended: rapid.Bool().Draw(t, "extended"), IsRemote: rapid.Bool().Draw(t, "remote"), Length: rapid.Uint8Range(0, 8).Draw(t, "length")}
	if f.ID = rapid.Uint32Range(0, MaxStandardID).Draw(t, "id"); f.IsExtended {
		f.ID = rapid.Uint32Range(0, MaxExtendedID).Draw(t, "extended id")
	}
	for i := range f.Payload() {
		f.Data[i] = rapid.Byte().Draw(t, "byte")
	}
	return f
}

func TestFrameTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFrame(t)
		text, err := f.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var g Frame
		if err := g.UnmarshalText(text); err != nil || g != f {
			t.Fatalf("%s became %v, %v", text, g, err)
		}
	})
}

func FuzzParseFrame(f *testing.F) {
	for _, s := range []string{"123#0102", "18FF0001#R8_9", "20000040#00", "213##1AA", "45123#81:00:1#11", "123#1.2", "123#1122334455667788_F"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		frame, err := ParseFrame(s)
		if err != nil {
			return
		}
		if err := frame.Validate(); err != nil {
			t.Fatalf("%q: accepted but not valid: %v", s, err)
		}
		again, err := ParseFrame(frame.String())
		if err != nil || again != frame {
			t.Fatalf("%q became %v, then %v, %v", s, frame, again, err)
		}
	})
}
