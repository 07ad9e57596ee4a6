// SPDX-License-Identifier: Apache-2.0

package system

import (
	"strings"
	"testing"
)

// What was given back can be used again.
func TestGiveBack(t *testing.T) {
	for range 3 {
		if err := GiveBack(); err != nil {
			t.Fatal(err)
		}
		if got := strings.ToUpper("still here"); got != "STILL HERE" {
			t.Errorf("got %q", got)
		}
	}
}

func TestParseMapping(t *testing.T) {
	tests := []struct {
		line     string
		ok       bool
		writable bool
	}{
		{"00400000-01a3d000 r-xp 00000000 fe:01 12345                              /usr/bin/carguardd\n", true, false},
		{"01a3d000-02a3d000 r--p 0163d000 fe:01 12345                              /usr/bin/carguardd\n", true, false},
		{"02a3d000-02a9d000 rw-p 0263d000 fe:01 12345                              /usr/bin/carguardd\n", true, true},
		{"02a3d000-02a9d000 r--s 0263d000 fe:01 12345                              /usr/bin/carguardd\n", true, true},
		{"7ffd0000-7ffd2000 r-xp 00000000 00:00 0                                  [vdso]\n", true, false},
		{"c000000000-c000400000 rw-p 00000000 00:00 0 \n", false, false},
		{"02a3d000-01a9d000 rw-p 0263d000 fe:01 12345 /usr/bin/carguardd\n", false, false},
		{"x-y r--p 0 0 0 /f\n", false, false},
		{"", false, false},
	}
	for _, test := range tests {
		m, ok := parseMapping([]byte(test.line))
		if ok != test.ok || ok && m.writable() != test.writable {
			t.Errorf("%q: %+v, %t", test.line, m, ok)
		}
	}
}
