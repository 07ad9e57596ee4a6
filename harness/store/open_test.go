// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

var engines = map[string]openFunc{"native": store.Open, "bbolt": store.OpenBolt}

// each runs a test on the engine of the build and on bbolt.
func each(t *testing.T, test func(t *testing.T, open openFunc)) {
	for name, open := range engines {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

func mustOpen(t testing.TB, open openFunc, dir string, o store.Options) store.Store {
	t.Helper()
	s, err := open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func set(t *testing.T, s store.Store, key, value string) {
	t.Helper()
	if err := s.Batch(store.Set([]byte(key), []byte(value))); err != nil {
		t.Fatal(err)
	}
}

func TestSecondOpenIsRefused(t *testing.T) {
	each(t, func(t *testing.T, open openFunc) {
		dir := t.TempDir()
		s := mustOpen(t, open, dir, store.Options{})
		for name, o := range map[string]store.Options{"for writing": {}, "for reading": {ReadOnly: true}} {
			_, err := open(dir, o)
			if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), "by process ") {
				t.Errorf("second open %s gave %v", name, err)
			}
		}
		if _, err := store.Quarantine(dir); !errors.Is(err, store.ErrLocked) {
			t.Errorf("quarantine of an open store gave %v", err)
		}
		set(t, s, "a", "1") // the first is none the worse for it
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		mustOpen(t, open, dir, store.Options{})
	})
}

func TestReadOnly(t *testing.T) {
	each(t, func(t *testing.T, open openFunc) {
		dir := t.TempDir()
		if _, err := open(dir, store.Options{ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("opening nothing for reading gave %v", err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("opening nothing for reading left %v, %v", left, err)
		}
		s := mustOpen(t, open, dir, store.Options{})
		set(t, s, "a", "1")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		first := mustOpen(t, open, dir, store.Options{ReadOnly: true})
		second := mustOpen(t, open, dir, store.Options{ReadOnly: true})
		for _, s := range []store.Store{first, second} {
			if value, err := s.Get([]byte("a")); err != nil || string(value) != "1" {
				t.Errorf("get gave %q, %v", value, err)
			}
			if err := s.Batch(store.Set([]byte("a"), nil)); !errors.Is(err, store.ErrReadOnly) {
				t.Errorf("batch gave %v", err)
			}
			if err := s.Sync(); err != nil {
				t.Errorf("sync gave %v", err)
			}
		}
	})
}

func TestSyncAlways(t *testing.T) {
	each(t, func(t *testing.T, open openFunc) {
		dir := t.TempDir()
		s := mustOpen(t, open, dir, store.Options{Sync: store.SyncAlways})
		set(t, s, "a", "1")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = mustOpen(t, open, dir, store.Options{Sync: store.SyncAlways})
		if value, err := s.Get([]byte("a")); err != nil || string(value) != "1" {
			t.Errorf("get gave %q, %v", value, err)
		}
	})
}

func TestOtherEnginesStoreIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "badger"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := store.OpenBolt(dir, store.Options{})
	if err == nil || !strings.Contains(err.Error(), "was written with badger and this program uses bbolt") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "bbolt")); err == nil {
		t.Error("a second store was created beside the first")
	}
}

func TestOpenErrors(t *testing.T) {
	each(t, func(t *testing.T, open openFunc) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := open(file, store.Options{}); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("a file as the directory gave %v", err)
		}
		if _, err := open(filepath.Join(file, "dir"), store.Options{}); err == nil {
			t.Error("a directory below a file gave no error")
		}
	})
}

func TestQuarantine(t *testing.T) {
	each(t, func(t *testing.T, open openFunc) {
		dir := t.TempDir()
		for range 2 {
			s := mustOpen(t, open, dir, store.Options{OnLoss: func(l store.Loss) { t.Errorf("a new store claims %v", l) }})
			if _, err := s.Get([]byte("a")); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("the new store has the old key: %v", err)
			}
			set(t, s, "a", "1")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			moved, err := store.Quarantine(dir)
			if err != nil {
				t.Fatal(err)
			}
			old := mustOpen(t, open, moved, store.Options{})
			if value, err := old.Get([]byte("a")); err != nil || string(value) != "1" {
				t.Errorf("in quarantine the key is %q, %v", value, err)
			}
		}
	})
}
