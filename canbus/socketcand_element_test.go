// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestParseElement(t *testing.T) {
	tests := []struct{ element, want string }{
		{" hi ", "hi"},
		{" ok ", "ok"},
		{" frame 123 1795981349.239410  ", "frame 123# at 1795981349.23941"},
		{" frame 100 1795981346.766444 09AA ", "frame 100#09AA at 1795981346.766444"},
		{" frame 100 1795981345.655226 07 AA  ", "frame 100#07AA at 1795981345.655226"},
		{" frame 100 1795981345.655226 7 A ", "frame 100#070A at 1795981345.655226"},
		{" frame 00000123 1.5 01 ", "frame 00000123#01 at 1.5"},
		{" frame 1ABCDEF 1.5 0102030405060708 ", "frame 01ABCDEF#0102030405060708 at 1.5"},
		{" error 040 1795981349.179438 ", "error frame 040 at 1795981349.179438"},
		{" error could not open bus ", "error could not open bus"},
		{" send 123 2 1 f1 ", "send 123#01F1"},
		{" send 123 0 ", "send 123#"},
		{" send 800 1 FF ", "send 00000800#FF"},
		{" echo ", "echo"},
		{" open vcan0 ", "open vcan0"},
		{"", "!empty"},
		{" send 123 9 1 2 3 4 5 6 7 8 9 ", `!length "9"`},
		{" send 123 2 1 ", `!length "2" with 1 bytes`},
		{" send 123 1 100 ", `!byte "100"`},
		{" send 123 ", "!want an identifier"},
		{" send xyz 0 ", "!not hexadecimal"},
		{" send 20000000 0 ", "!more than 29 bits"},
		{" frame 123 ", "!want an identifier"},
		{" frame 123 now 01 ", "!time stamp"},
		{" frame 123 1.5 010 ", "!odd number"},
		{" frame 123 1.5 010203040506070809 ", "!more than 8"},
		{" frame 123 1.5 1 2 3 4 5 6 7 8 9 ", "!9 bytes"},
	}
	for _, tt := range tests {
		m, err := parseElement([]byte(tt.element))
		got := m.word
		switch {
		case err != nil:
			got = "!" + err.Error()
		case m.word == "frame":
			got = fmt.Sprintf("frame %v at %v", m.frame, seconds(m.stamp))
		case m.word == "send":
			got = fmt.Sprintf("send %v", m.frame)
		case m.errf != nil:
			got = fmt.Sprintf("error frame %03X at %v", m.errf.Class, seconds(m.stamp))
		case m.arg != "":
			got += " " + m.arg
		}
		if want, bad := strings.CutPrefix(tt.want, "!"); (bad && !(err != nil && strings.Contains(got, want))) || (!bad && got != tt.want) {
			t.Errorf("<%s>: %s, want %s", tt.element, got, tt.want)
		}
	}
}

func seconds(t time.Time) string {
	return strings.TrimRight(fmt.Sprintf("%d.%09d", t.Unix(), t.Nanosecond()), "0")
}

// Elements may be glued together and split anywhere.
func TestElementScanner(t *testing.T) {
	stream := "noise < ok >< frame 100 1.5 09AA >\n< frame < echo >> x < hi >"
	want := "[ ok | frame 100 1.5 09AA | echo | hi ]"
	for size := 1; size <= len(stream); size++ {
		var s elementScanner
		var got []string
		for rest := stream; rest != ""; {
			n := min(size, len(rest))
			if err := s.scan([]byte(rest[:n]), func(e []byte) error { got = append(got, string(e)); return nil }); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if text := "[" + strings.Join(got, "|") + "]"; text != want {
			t.Errorf("in pieces of %d: %s, want %s", size, text, want)
		}
	}
	var s elementScanner
	if err := s.scan([]byte("<"+strings.Repeat("x", 2*maxElement)), nil); !errors.Is(err, errElementTooLong) {
		t.Errorf("endless element: %v", err)
	}
}

func FuzzElements(f *testing.F) {
	for _, s := range []string{"< hi >< ok >", "< frame 100 1.5 07 AA  >", "< send 1ABCDEF 2 1 f1 >", "< error 040 1.5 >", "<<>>"} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, split int) {
		var whole, parts []string
		collect := func(out *[]string) func([]byte) error {
			return func(e []byte) error {
				*out = append(*out, string(e))
				m, err := parseElement(e)
				if err != nil || (m.word != "send" && m.word != "frame") {
					return nil
				}
				if err := m.frame.Validate(); err != nil || m.frame.IsRemote {
					t.Fatalf("%q became %+v, %v", e, m.frame, err)
				}
				text := appendSend(nil, m.frame)
				again, err := parseElement(text[1 : len(text)-1])
				if err != nil || again.frame != m.frame {
					t.Fatalf("%q became %q, then %v, %v", e, text, again.frame, err)
				}
				return nil
			}
		}
		var s1, s2 elementScanner
		err1 := s1.scan(data, collect(&whole))
		k := 0
		if len(data) > 0 {
			k = (split%len(data) + len(data)) % len(data)
		}
		err2 := s2.scan(data[:k], collect(&parts))
		if err2 == nil {
			err2 = s2.scan(data[k:], collect(&parts))
		}
		if fmt.Sprint(whole, err1) != fmt.Sprint(parts, err2) {
			t.Fatalf("whole: %q %v, split at %d: %q %v", whole, err1, k, parts, err2)
		}
	})
}
