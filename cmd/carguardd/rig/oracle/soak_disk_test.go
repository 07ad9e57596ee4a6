// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness/store"
)

// soakDisk is a real store on a disk that is slow, hangs, or is full, as told.
type soakDisk struct {
	store.Store
	full  atomic.Bool
	delay atomic.Int64 // of each batch, in nanoseconds
	hang  atomic.Int64 // of the next batch alone
}

func openSoakDisk(t *testing.T) *soakDisk {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.Options{OnLoss: func(l store.Loss) { t.Errorf("loss: %v", l) }})
	if err != nil {
		t.Fatal(err)
	}
	d := &soakDisk{Store: s}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Error(err)
		}
	})
	return d
}

func (d *soakDisk) Batch(ops ...store.Op) error {
	if d.full.Load() {
		return store.ErrNoSpace
	}
	time.Sleep(time.Duration(d.delay.Load() + d.hang.Swap(0)))
	return d.Store.Batch(ops...)
}
