// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func FuzzBoltNeeds(f *testing.F) {
	dir := f.TempDir()
	s, err := OpenBolt(dir, Options{})
	if err != nil {
		f.Fatal(err)
	}
	if err := errors.Join(s.Batch(Set([]byte("key"), []byte("value"))), s.Close()); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, boltFolder, boltFile))
	if err != nil {
		f.Fatal(err)
	}
	if need := boltNeeds(data); need < 4*int64(os.Getpagesize()) || need > int64(len(data)) {
		f.Fatalf("a sound file of %d bytes is said to need %d", len(data), need)
	}
	f.Add(data[:2*os.Getpagesize()])
	f.Add(data[:metaEnd])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, head []byte) {
		if need := boltNeeds(head); need < 0 {
			t.Errorf("needs %d bytes", need)
		}
	})
}
