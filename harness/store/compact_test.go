// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var kinds = map[string]kind{"native": native, "bbolt": bolt}

// openKind opens a store that must have lost nothing.
func openKind(t *testing.T, dir string, key []byte, k kind) Store {
	t.Helper()
	s, err := open(dir, Options{Key: key, OnLoss: func(l Loss) { t.Errorf("loss: %v", l) }}, k)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCompact(t *testing.T) {
	one, two := bytes.Repeat([]byte("1"), KeySize), bytes.Repeat([]byte("2"), KeySize)
	for name, k := range kinds {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openKind(t, dir, nil, k)
			value := bytes.Repeat([]byte{1, 2, 3}, 1000)
			for i := range 2000 {
				if err := s.Batch(Set(fmt.Appendf(nil, "%04d", i%100), append(value, byte(i)))); err != nil {
					t.Fatal(err)
				}
				if k.name == boltFolder && i > 300 {
					break // it syncs each
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			// Into an encrypted store, to another key, and back.
			for _, keys := range [][2][]byte{{nil, nil}, {nil, one}, {one, two}, {two, nil}} {
				if err := compact(t.Context(), dir, Options{Key: keys[0]}, keys[1], k); err != nil {
					t.Fatal(err)
				}
				s := openKind(t, dir, keys[1], k)
				n := 0
				for e, err := range s.Scan(Range{}) {
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.HasPrefix(e.Value, value) {
						t.Fatalf("%s has another value", e.Key)
					}
					n++
				}
				if n != 100 {
					t.Errorf("%d entries of 100", n)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(filepath.Join(dir, compactFolder)); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("the old files are still there: %v", err)
				}
			}
		})
	}
}

// A compaction that fails leaves the store as it was.
func TestCompactFails(t *testing.T) {
	for name, k := range kinds {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openKind(t, dir, nil, k)
			if err := errors.Join(s.Batch(Set([]byte("a"), []byte("1"))), s.Close()); err != nil {
				t.Fatal(err)
			}
			calls := 0
			full := Options{FreeSpace: func(string) (int64, error) {
				if calls++; calls > 2 { // both openings have room
					return 0, nil
				}
				return 1 << 40, nil
			}}
			if err := compact(t.Context(), dir, full, nil, k); !errors.Is(err, ErrNoSpace) {
				t.Errorf("on a full disk: %v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := compact(ctx, dir, Options{}, nil, k); !errors.Is(err, context.Canceled) {
				t.Errorf("called off: %v", err)
			}
			s = openKind(t, dir, nil, k)
			if err := compact(t.Context(), dir, Options{}, nil, k); !errors.Is(err, ErrLocked) {
				t.Errorf("of an open store: %v", err)
			}
			if value, err := s.Get([]byte("a")); err != nil || string(value) != "1" {
				t.Errorf("got %q, %v", value, err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestBackup(t *testing.T) {
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "backup")
	s := openKind(t, dir, nil, native)
	if err := errors.Join(s.Batch(Set([]byte("a"), []byte("1")), Set([]byte("b"), nil)), s.Close()); err != nil {
		t.Fatal(err)
	}
	if n, err := Backup(t.Context(), dir, to, Options{}); err != nil || n != 2 {
		t.Fatalf("%d entries, %v", n, err)
	}
	if _, err := Backup(t.Context(), dir, to, Options{}); err == nil {
		t.Error("a backup was written over")
	}
	s = openKind(t, to, nil, native)
	defer s.Close()
	if value, err := s.Get([]byte("a")); err != nil || string(value) != "1" {
		t.Errorf("got %q, %v", value, err)
	}
}

func TestQuarantinesAreBounded(t *testing.T) {
	dir := t.TempDir()
	for n := range maxQuarantined + 2 {
		s := openKind(t, dir, nil, bolt)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		moved, err := Quarantine(dir)
		if want := filepath.Join(dir, fmt.Sprintf("quarantine-%d", n+1)); err != nil || moved != want {
			t.Fatalf("moved to %s, %v; want %s", moved, err, want)
		}
	}
	names, err := Quarantined(dir)
	if err != nil || len(names) != maxQuarantined || filepath.Base(names[0]) != "quarantine-3" {
		t.Errorf("kept are %v, %v", names, err)
	}
}
