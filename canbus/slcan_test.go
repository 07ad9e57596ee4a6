// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func describeSlcan(m slcanMessage) string {
	switch m.kind {
	case slcanBad:
		return "bad"
	case slcanOK:
		return "ok"
	case slcanNo:
		return "no"
	case slcanFrame:
		return m.frame.String()
	case slcanState:
		return fmt.Sprintf("%v rx %d tx %d", m.link.State, m.link.RxErrors, m.link.TxErrors)
	case slcanFlags:
		return fmt.Sprintf("flags %02X %v", m.flags, linkOfFlags(m.flags).State)
	case slcanError:
		return "errors " + m.text
	}
	return "other " + m.text
}

func TestSlcanLines(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"nothing", "", "ok"},
		{"standard", "t45630102FF", "456#0102FF"},
		{"extended", "T01234567109", "01234567#09"},
		{"no data", "t0010", "001#"},
		{"lower-case digits", "t7ff2abcd", "7FF#ABCD"},
		{"with a time stamp", "t4561010A2B", "456#01"},
		{"remote", "r1238", "123#R8"},
		{"remote, extended", "R1ABCDEF00", "1ABCDEF0#R"},
		{"remote with a time stamp", "r1230FFFF", "123#R"},
		{"too many bytes", "t1239112233445566778899", "bad"},
		{"too few bytes", "t12320", "bad"},
		{"half a byte", "t12320", "bad"},
		{"something behind", "t12310102", "bad"},
		{"no digits", "t12X0", "bad"},
		{"a length that is no digit", "t123A", "bad"},
		{"an identifier that is too large", "t8000", "bad"},
		{"an extended one that is too large", "T200000000", "bad"},
		{"cut", "t12", "bad"},
		{"cut, extended", "T1234567", "bad"},
		{"data of a remote frame", "r12311", "bad"},
		{"active", "sa000000", "up rx 0 tx 0"},
		{"warning", "sw057096", "warning rx 57 tx 96"},
		{"passive", "sp128000", "passive rx 128 tx 0"},
		{"bus-off", "sb000256", "bus-off rx 0 tx 255"},
		{"no state", "sx000000", "bad"},
		{"a short state", "sa00000", "bad"},
		{"a state without numbers", "sa0x0000", "bad"},
		{"well", "F00", "flags 00 up"},
		{"warning flag", "F04", "flags 04 warning"},
		{"passive flag", "F24", "flags 24 passive"},
		{"no flags", "F0", "bad"},
		{"errors", "e2aO", "errors aO"},
		{"errors that are missing", "e3ab", "bad"},
		{"can fd", "d12380011223344556677", "bad"},
		{"version", "V1013", "other V1013"},
		{"sent", "z", "other z"},
		{"noise", "\x80\x00", "bad"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := describeSlcan(parseSlcan([]byte(c.line))); got != c.want {
				t.Errorf("%q is %s, want %s", c.line, got, c.want)
			}
		})
	}
}

// Lines come in any portions; one that is too long is one bad line.
func TestSlcanScanner(t *testing.T) {
	text := "t0010\r\a\r\nV1013\r" + strings.Repeat("t", 100) + "\rt0020\r" + strings.Repeat("x", 100) + "\asa0"
	want := []string{"001#", "no", "ok", "other V1013", "bad", "002#", "no"}
	for size := 1; size <= len(text); size++ {
		var s slcanScanner
		var got []string
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			_ = s.scan([]byte(rest[:n]), func(m slcanMessage) error { got = append(got, describeSlcan(m)); return nil })
			rest = rest[n:]
		}
		if !slices.Equal(got, want) {
			t.Fatalf("in portions of %d: %v", size, got)
		}
	}
}

func TestSlcanRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFrame(t)
		line := appendSlcan(nil, f)
		if m := parseSlcan(line[:len(line)-1]); m.kind != slcanFrame || m.frame != f || len(line) > slcanLine {
			t.Fatalf("%v became %q and %s", f, line, describeSlcan(m))
		}
	})
	for _, l := range slcanStates {
		want := l.link
		want.RxErrors, want.TxErrors = 7, 130
		line := appendSlcanState(nil, want)
		if m := parseSlcan(line[:len(line)-1]); m.kind != slcanState || m.link != want {
			t.Errorf("%v became %q and %s", want, line, describeSlcan(m))
		}
	}
	if line := appendSlcanState(nil, Link{State: LinkDown}); len(line) != 0 {
		t.Errorf("a cut cable is told as %q", line)
	}
}

// Whatever an adapter says, what is taken for a frame is one, and is said again
// in the same way.
func FuzzSlcan(f *testing.F) {
	for _, s := range []string{"t45630102FF\r", "T01234567109\r\a", "r1238\rR1ABCDEF00\r", "sw057096\r", "F24\r", "e2aO\r", "t123\r\n", strings.Repeat("t", 99) + "\r"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var s slcanScanner
		_ = s.scan(b, func(m slcanMessage) error {
			if m.kind != slcanFrame {
				return nil
			}
			if err := m.frame.Validate(); err != nil {
				t.Fatalf("%q: %v", b, err)
			}
			line := appendSlcan(nil, m.frame)
			if again := parseSlcan(line[:len(line)-1]); again.frame != m.frame {
				t.Fatalf("%v was said as %q, which is %v", m.frame, line, again.frame)
			}
			return nil
		})
	})
}
