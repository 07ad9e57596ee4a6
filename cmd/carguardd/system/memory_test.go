// SPDX-License-Identifier: Apache-2.0

package system

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

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
	const exe, drop, out = "/usr/bin/carguardd", unix.MADV_DONTNEED, unix.MADV_PAGEOUT
	tests := []struct {
		line         string
		ok           bool
		fixed, moved uintptr // advice for a program with a fixed part, and for one that has none
	}{
		{"00400000-01a3d000 r-xp 00000000 fe:01 12345                              /usr/bin/carguardd\n", true, drop, 0},
		{"01a3d000-02a3d000 r--p 0163d000 fe:01 12345                              /usr/bin/carguardd\n", true, drop, 0},
		{"02a3d000-02a4d000 r--p 0263d000 fe:01 12345                              /usr/bin/carguardd\n", true, 0, 0}, // relocated
		{"02a3d000-02a9d000 rw-p 0263d000 fe:01 12345                              /usr/bin/carguardd\n", true, 0, 0},
		{"7f3d000-7fa9d000 rw-s 00000000 fe:01 777                                 /var/lib/carguardd/badger/00001.mem\n", true, out, out},
		{"7f3d000-7fa9d000 rw-s 00000000 00:05 777                                 /dev/dri/card0\n", true, 0, 0},
		{"7f3d000-7fa9d000 r-xp 00000000 fe:01 777                                 /lib/libc.so.6\n", true, 0, 0},
		{"7f3d000-7fa9d000 ---p 00000000 fe:01 777                                 /usr/bin/carguardd\n", true, 0, 0},
		{"7ffd0000-7ffd2000 r-xp 00000000 00:00 0                                  [vdso]\n", true, 0, 0},
		{"c000000000-c000400000 rw-p 00000000 00:00 0 \n", false, 0, 0},
		{"02a3d000-01a9d000 rw-p 0263d000 fe:01 12345 /usr/bin/carguardd\n", false, 0, 0},
		{"x-y r--p 0 0 0 /f\n", false, 0, 0},
		{"", false, 0, 0},
	}
	fixed := []span{{0x400000, 0x1a3d000}, {0x1a3d000, 0x2a3d000}}
	for _, test := range tests {
		m, ok := parseMapping([]byte(test.line))
		if ok != test.ok || ok && (m.advice(exe, fixed) != test.fixed || m.advice(exe, nil) != test.moved) {
			t.Errorf("%q: %+v, %t", test.line, m, ok)
		}
	}
}

// What the start of a program writes into its read-only pages is not in its file.
func TestUnchanging(t *testing.T) {
	text := elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_X), Vaddr: 0x400000, Memsz: 0x1234}
	data := elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W), Vaddr: 0x800000, Memsz: 0x2000}
	relro := elf.Prog64{Type: uint32(elf.PT_GNU_RELRO), Flags: uint32(elf.PF_R), Vaddr: 0x800000, Memsz: 0x1000}
	page := uintptr(os.Getpagesize())
	tests := []struct {
		name string
		kind elf.Type
		want []span
	}{
		{"fixed", elf.ET_EXEC, []span{{0x400000, (0x401234 + page - 1) &^ (page - 1)}}},
		{"position independent", elf.ET_DYN, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := elf.Header64{Type: uint16(test.kind), Machine: uint16(elf.EM_X86_64), Version: 1, Ehsize: 64, Phoff: 64, Phentsize: 56, Phnum: 3}
			copy(h.Ident[:], []byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)})
			var file bytes.Buffer
			must(t, binary.Write(&file, binary.LittleEndian, h))
			must(t, binary.Write(&file, binary.LittleEndian, []elf.Prog64{text, data, relro}))
			path := filepath.Join(t.TempDir(), "program")
			must(t, os.WriteFile(path, file.Bytes(), 0o600))
			if got, err := unchanging(path); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("got %x, %v", got, err)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
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
