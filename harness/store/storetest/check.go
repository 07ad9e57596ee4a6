// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

// opened opens the store and closes it at the end of the test if the test has
// not done so.
func opened(t *testing.T, open Opener) store.Store {
	t.Helper()
	s := open(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantValue(t *testing.T, s store.Store, key, expected string) {
	t.Helper()
	value, err := s.Get([]byte(key))
	if err != nil {
		t.Fatalf("get %.40q: %v", key, err)
	}
	if string(value) != expected {
		t.Errorf("get %.40q gave %.40q, want %.40q", key, value, expected)
	}
}

func wantMissing(t *testing.T, s store.Store, key string) {
	t.Helper()
	if value, err := s.Get([]byte(key)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("get %q gave %q, %v; want it missing", key, value, err)
	}
}

// want compares the keys that a scan yields.
func want(t *testing.T, s store.Store, r store.Range, expected ...string) {
	t.Helper()
	var keys []string
	for entry, err := range s.Scan(r) {
		must(t, err)
		keys = append(keys, string(entry.Key))
	}
	if !slices.Equal(keys, expected) {
		t.Errorf("scan gave %.60q, want %.60q", keys, expected)
	}
}

func count(t *testing.T, s store.Store, r store.Range) int {
	t.Helper()
	n := 0
	for _, err := range s.Scan(r) {
		must(t, err)
		n++
	}
	return n
}

// noise returns n bytes that cannot be compressed, the same for the same seed.
func noise(seed, n int) []byte {
	source := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})
	out := make([]byte, n)
	source.Read(out) // never fails
	return out
}
