// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/store/journal"
)

// history is a store with one entry, and its configuration.
func history(t *testing.T, key []byte) *config.Config {
	t.Helper()
	c := config.Default()
	c.Store.Dir, c.Credentials = t.TempDir(), t.TempDir()
	s, err := store.Open(c.Store.Dir, store.Options{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Batch(store.Set([]byte("number/old"), []byte("7"))), s.Close()); err != nil {
		t.Fatal(err)
	}
	return c
}

// credential configures the key of the store.
func credential(t *testing.T, c *config.Config, text string) {
	t.Helper()
	c.Store.KeyCredential = "store-key"
	if err := os.WriteFile(filepath.Join(c.Credentials, "store-key"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The daemon starts with every store, keeps what it can, and says the rest.
func TestOpenStore(t *testing.T) {
	key := bytes.Repeat([]byte("k"), store.KeySize)
	tests := []struct {
		name    string
		key     []byte // of the store
		do      func(t *testing.T, c *config.Config)
		kept    bool   // the old entry is there
		none    bool   // there is no store
		noStore string // is why
		lost    string // is told as lost
	}{
		{"as it was", nil, func(*testing.T, *config.Config) {}, true, false, "", ""},
		{"its engine's folder is garbage", nil, func(t *testing.T, c *config.Config) {
			for _, f := range []string{"badger/MANIFEST", "bbolt/data.bbolt"} {
				name := filepath.Join(c.Store.Dir, f)
				if _, err := os.Stat(name); err == nil {
					if err := os.WriteFile(name, []byte("garbage"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
		}, false, false, "", "quarantine-1; it starts empty"},
		{"three openings ended the process", nil, func(t *testing.T, c *config.Config) {
			if err := os.WriteFile(filepath.Join(c.Store.Dir, "opening"), []byte("3\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, false, false, "", "quarantine-1; it starts empty"},
		{"its journal makes no sense", nil, func(t *testing.T, c *config.Config) {
			s, err := store.Open(c.Store.Dir, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(s.Batch(store.Set([]byte("turn/h"), []byte("?"))), s.Close()); err != nil {
				t.Fatal(err)
			}
		}, false, false, "", "quarantine-1; it starts empty"},
		{"a key for a plain store", nil, func(t *testing.T, c *config.Config) { credential(t, c, string(key)) }, true, false, "", ""},
		{"its key", key, func(t *testing.T, c *config.Config) { credential(t, c, string(key)) }, true, false, "", ""},
		{"no key", key, func(*testing.T, *config.Config) {}, false, true, "store is encrypted, and there is no key", ""},
		{"another key", key, func(t *testing.T, c *config.Config) { credential(t, c, strings.Repeat("x", store.KeySize)) }, false, true, "the key does not fit", ""},
		{"a key that is none", key, func(t *testing.T, c *config.Config) { credential(t, c, "password") }, false, true, "is no key", ""},
		{"a key that is not there", key, func(_ *testing.T, c *config.Config) { c.Store.KeyCredential = "store-key" }, false, true, "no such file", ""},
		{"a folder that cannot be made", nil, func(t *testing.T, c *config.Config) { c.Store.Dir = filepath.Join(c.Store.Dir, "lock", "dir") }, false, true, "not a directory", ""},
		{"a disk that is full", nil, func(_ *testing.T, c *config.Config) { c.Store.MinFreeMB = 1 << 40 }, true, false, "too little space", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := history(t, test.key)
			test.do(t, c)
			log := &lockedBuffer{} // a store writes in goroutines of its own
			d := &daemon{log: daemonLog{Logger: zerolog.New(log)}}
			defer d.close()
			var o system.Options
			if err := d.openStore(t.Context(), c, &o); err != nil {
				t.Fatal(err)
			}
			if none := o.Store == nil; none != test.none || !said(o.NoStore, test.noStore) || test.lost == "" && o.Lost != "" || !strings.Contains(o.Lost, test.lost) {
				t.Errorf("no store: %t, why: %v, lost: %q", none, o.NoStore, o.Lost)
			}
			if wrong := test.noStore != "" || test.lost != ""; wrong != strings.Contains(log.String(), `"event":"history-lost"`) {
				t.Errorf("logged: %s", log.String())
			}
			if o.Store == nil {
				return
			}
			j, err := journal.Open(o.Store)
			if err != nil {
				t.Fatal(err)
			}
			n, err := j.LastTurn(t.Context(), "old")
			if err != nil || (n == 7) != test.kept {
				t.Errorf("the old entry is %d, %v", n, err)
			}
		})
	}
}

func said(err error, want string) bool {
	return (err == nil) == (want == "") && (err == nil || strings.Contains(err.Error(), want))
}

// A second daemon on the same folder is the one thing that is an error.
func TestOpenStoreTwice(t *testing.T) {
	c := history(t, nil)
	one, two := &daemon{}, &daemon{}
	defer one.close()
	if err := one.openStore(t.Context(), c, new(system.Options)); err != nil {
		t.Fatal(err)
	}
	if err := two.openStore(t.Context(), c, new(system.Options)); !errors.Is(err, store.ErrLocked) {
		t.Errorf("got %v", err)
	}
}

func TestCannotWrite(t *testing.T) {
	for err, want := range map[error]bool{
		store.ErrNoSpace: true, &os.PathError{Op: "open", Err: unix.EROFS}: true, unix.EACCES: true, unix.ENOSPC: true,
		store.ErrLocked: false, store.ErrDamaged: false, nil: false,
	} {
		if cannotWrite(err) != want {
			t.Errorf("%v: %t", err, !want)
		}
	}
}
