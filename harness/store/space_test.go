// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

func TestSpaceIsLeft(t *testing.T) {
	each(t, func(t *testing.T, open openFunc) {
		dir := t.TempDir()
		free := int64(1 << 30)
		o := store.Options{FreeSpace: func(string) (int64, error) { return free, nil }}
		s := mustOpen(t, open, dir, o)
		set(t, s, "a", "1")
		free = store.DefaultMinFree + 100
		set(t, s, "b", "2")
		free = store.DefaultMinFree
		if err := s.Batch(store.Set([]byte("c"), []byte("3"))); !errors.Is(err, store.ErrNoSpace) {
			t.Errorf("a batch on a full disk gave %v", err)
		}
		if _, err := s.Get([]byte("c")); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("what was refused is there: %v", err)
		}
		if value, err := s.Get([]byte("b")); err != nil || string(value) != "2" {
			t.Errorf("what was written is %q, %v", value, err)
		}
		free = 1 << 30 // somebody made room
		set(t, s, "c", "3")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		free = store.DefaultMinFree/2 - 1
		if _, err := open(dir, o); !errors.Is(err, store.ErrNoSpace) || errors.Is(err, store.ErrDamaged) {
			t.Errorf("opening on a full disk gave %v", err)
		}
		readOnly := o
		readOnly.ReadOnly = true
		r := mustOpen(t, open, dir, readOnly)
		if value, err := r.Get([]byte("c")); err != nil || string(value) != "3" {
			t.Errorf("reading on a full disk gave %q, %v", value, err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		o.MinFree = -1
		set(t, mustOpen(t, open, dir, o), "d", "4")
	})
}

// A store whose disk is full at the end loses nothing.
func TestCloseOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	free := int64(1 << 30)
	o := store.Options{FreeSpace: func(string) (int64, error) { return free, nil }, OnLoss: func(l store.Loss) { t.Error(l) }}
	s := mustOpen(t, store.Open, dir, o)
	set(t, s, "a", "1")
	free = 0
	if err := s.Close(); err != nil && !errors.Is(err, store.ErrNoSpace) {
		t.Fatal(err)
	}
	if !store.WasRunning(dir) {
		return // an engine that has nothing to write at the end
	}
	// Badger's own lock is this process's until it ends.
	copied := t.TempDir()
	copyAll(t, dir, copied)
	free = 1 << 30
	if value, err := mustOpen(t, store.Open, copied, o).Get([]byte("a")); err != nil || string(value) != "1" {
		t.Errorf("got %q, %v", value, err)
	}
}

func TestFreeSpace(t *testing.T) {
	dir := t.TempDir()
	here, err := store.FreeSpace(dir)
	if err != nil || here <= 0 {
		t.Fatalf("%d bytes, %v", here, err)
	}
	if _, err := store.FreeSpace(filepath.Join(dir, "not", "there", "yet")); err != nil {
		t.Error(err)
	}
}
