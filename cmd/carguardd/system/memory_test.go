// SPDX-License-Identifier: Apache-2.0

package system

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
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

func TestMapping(t *testing.T) {
	const exe = "/usr/bin/carguardd"
	tests := []struct {
		line      string
		ok, comes bool
	}{
		{"00400000-01a3d000 r-xp 00000000 fe:01 12345                              /usr/bin/carguardd\n", true, true},
		{"01a3d000-02a3d000 r--p 0163d000 fe:01 12345                              /usr/bin/carguardd\n", true, true},
		{"02a3d000-02a9d000 rw-p 0263d000 fe:01 12345                              /usr/bin/carguardd\n", true, false},
		{"7f3d000-7fa9d000 rw-s 00000000 fe:01 777                                 /var/lib/carguardd/badger/00001.mem\n", true, true},
		{"7f3d000-7fa9d000 rw-s 00000000 00:05 777                                 /dev/dri/card0\n", true, false},
		{"7f3d000-7fa9d000 r-xp 00000000 fe:01 777                                 /lib/libc.so.6\n", true, false},
		{"7f3d000-7fa9d000 ---p 00000000 fe:01 777                                 /usr/bin/carguardd\n", true, false},
		{"7ffd0000-7ffd2000 r-xp 00000000 00:00 0                                  [vdso]\n", true, false},
		{"c000000000-c000400000 rw-p 00000000 00:00 0 \n", false, false},
		{"02a3d000-01a9d000 rw-p 0263d000 fe:01 12345 /usr/bin/carguardd\n", false, false},
		{"x-y r--p 0 0 0 /f\n", false, false},
		{"", false, false},
	}
	for _, test := range tests {
		m, ok := parseMapping([]byte(test.line))
		if ok != test.ok || ok && m.comesBack(exe) != test.comes {
			t.Errorf("%q: %+v, %t", test.line, m, ok)
		}
	}
}

// What was written to the store's files before stays there.
func TestGiveBackLosesNothing(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 500 {
		if err := s.Batch(store.Set(fmt.Appendf(nil, "%d", i), bytes.Repeat([]byte{byte(i), 7}, 2000))); err != nil {
			t.Fatal(err)
		}
		if i%100 == 99 {
			if err := GiveBack(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = store.Open(dir, store.Options{OnLoss: func(l store.Loss) { t.Error(l) }}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range 500 {
		if got, err := s.Get(fmt.Appendf(nil, "%d", i)); err != nil || !bytes.Equal(got, bytes.Repeat([]byte{byte(i), 7}, 2000)) {
			t.Fatalf("entry %d: %d bytes, %v", i, len(got), err)
		}
	}
}
