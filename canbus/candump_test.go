// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseLogLine(t *testing.T) {
	tests := []struct {
		line, want string // want: the normal form, or "!column: error"
	}{
		{"(1436509052.249713) vcan0 044#2A366C2BBA", ""},
		{"(1436509052.249713) vcan0 044#2A366C2BBA T", ""},
		{"(0.000000) c 123#R", ""},
		{"(1436509052.249713) vcan0 20000040#0000000000000000", ""},
		{"(1436509052.249713) vcan0 044#2A366C2BBA R", "(1436509052.249713) vcan0 044#2A366C2BBA"},
		{"(1436509052.249713)  vcan0   044#11.22\r", "(1436509052.249713) vcan0 044#1122"},
		{"(1436509052.249713123) can0 7FF#", "(1436509052.249713) can0 7FF#"},
		{"(5.5) can0 7FF#r8_9", "(5.500000) can0 7FF#R8"},
		{"(1436509052.249713) vcan0 213##1AABBCC", "!27: frame \"213##1AABBCC\": CAN FD is not supported"},
		{"(1436509052.249713) vcan0 45123#81:00:12345678#1122", "!27: frame \"45123#81:00:12345678#1122\": CAN XL is not supported"},
		{"vcan0  044   [5]  2A 36 6C 2B BA", "!1: want a time stamp"},
		{"(1436509052) vcan0 044#", "!1: time stamp"},
		{"(-1.5) vcan0 044#", "!1: time stamp"},
		{"(1.-5) vcan0 044#", "!1: time stamp"},
		{"(1.5", "!1: time stamp"},
		{"(1.5)", "!6: no interface"},
		{"(1.5) vcan0", "!12: "},
		{"(1.5) vcan0 044#1", "!13: "},
		{"(1.5) vcan0 044#11 X", "!20: unexpected"},
		{"(1.5) vcan0 044#11 T x", "!22: unexpected"},
	}
	for _, tt := range tests {
		e, err := ParseLogLine(tt.line)
		if want, bad := strings.CutPrefix(tt.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), "column "+want) {
				t.Errorf("%q = %v, %v; want column %s", tt.line, e, err, want)
			}
			continue
		}
		want := tt.want
		if want == "" {
			want = tt.line
		}
		if err != nil || e.String() != want {
			t.Errorf("%q = %q, %v; want %q", tt.line, e, err, want)
		}
	}
}

func TestLogLineRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := LogEntry{
			Time:    time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "time")),
			Channel: rapid.StringMatching(`[a-z]{1,8}[0-9]`).Draw(t, "channel"), Frame: genFrame(t), Sent: rapid.Bool().Draw(t, "sent"),
		}
		got, err := ParseLogLine(e.String())
		if err != nil || !got.Time.Equal(e.Time) || got.Channel != e.Channel || got.Frame != e.Frame || got.Sent != e.Sent {
			t.Fatalf("%v became %v, %v", e, got, err)
		}
	})
}

func TestLogReader(t *testing.T) {
	text := "(1.0) a 123#01\n\nnonsense\r\n(2.0) a 1##100\n" + strings.Repeat("x", 3*maxLogLine) + "\n(3.0) a 124#02"
	r := NewLogReader("drive.log", strings.NewReader(text))
	var got []string
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var le *LogError
			if !errors.As(err, &le) {
				t.Fatal(err)
			}
			got = append(got, err.Error())
			continue
		}
		got = append(got, e.Frame.String())
	}
	want := []string{"123#01", "drive.log:3:1: want a time stamp", "drive.log:4:9: frame", "drive.log:5:8192: line is longer", "124#02"}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("entry %d: %q, want %q", i, got[i], want[i])
		}
	}
}

func FuzzLogLine(f *testing.F) {
	for _, s := range []string{"(1436509052.249713) vcan0 044#2A366C2BBA R", "(1.5) vcan0 20000040#00", "(5.5) can0 7FF#r8_9 T", "(1.0) a 213##1AA"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsAny(s, "\n") {
			return
		}
		e, err := ParseLogLine(s)
		if err != nil {
			return
		}
		again, err := ParseLogLine(e.String())
		if err != nil || again.String() != e.String() {
			t.Fatalf("%q became %q, then %q, %v", s, e, again, err)
		}
	})
}
