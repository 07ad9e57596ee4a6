// SPDX-License-Identifier: Apache-2.0

//go:build !(386 || arm || mips || mipsle || wasm)

package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// aTable returns the bytes of a small table of Badger's.
func aTable(f *testing.F) []byte {
	f.Helper()
	dir := f.TempDir()
	s, err := OpenBadger(dir, Options{})
	if err != nil {
		f.Fatal(err)
	}
	if err := errors.Join(s.Batch(Set([]byte("key"), []byte("value"))), s.Close()); err != nil {
		f.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, badgerFolder, "*.sst"))
	if err != nil || len(names) == 0 {
		f.Fatalf("no table was written: %v", err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		f.Fatal(err)
	}
	return data
}

// FuzzInspectTable looks for bytes that end the process or ask for memory without
// end. What panics further down is caught by rescue, as in an opening.
func FuzzInspectTable(f *testing.F) {
	table := aTable(f)
	if err := inspectTableData(bytes.NewReader(table), int64(len(table)), true); err != nil {
		f.Fatalf("a sound table: %v", err)
	}
	f.Add(table)
	f.Add(table[:len(table)-1])
	f.Add([]byte{})
	f.Add([]byte("\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		err := rescue(func() error { return inspectTableData(bytes.NewReader(data), int64(len(data)), true) })
		if err == nil && !bytes.Contains(data, []byte("key")) && len(data) <= len(table) {
			t.Errorf("%q passes for a table", data)
		}
	})
}
