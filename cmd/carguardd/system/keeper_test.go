// SPDX-License-Identifier: Apache-2.0

package system

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/store/journal"
)

// faultyStore is a store whose batches wait, or fail, as told.
type faultyStore struct {
	store.Memory
	gate atomic.Pointer[chan struct{}] // batches wait until it is closed; nil: they do not
	fail atomic.Pointer[error]
}

func (f *faultyStore) Batch(ops ...store.Op) error {
	if gate := f.gate.Load(); gate != nil {
		<-*gate
	}
	if err := f.fail.Load(); err != nil {
		return *err
	}
	return f.Memory.Batch(ops...)
}

func faultyKeeper(t *testing.T, limit time.Duration) (*faultyStore, *System) {
	t.Helper()
	f := new(faultyStore)
	j, err := journal.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	s := bare(t)
	s.o.Store, s.Journal, s.keeper = f, j, newKeeper(j, limit)
	return f, s
}

func journalCheck(t *testing.T, s *System) api.Check {
	t.Helper()
	for _, c := range s.Checks() {
		if c.Name == "journal" {
			return c
		}
	}
	t.Fatal("the journal is not checked")
	return api.Check{}
}

func record(turn string) harness.Record {
	return harness.Record{Kind: harness.CallActing, Session: "s", Turn: turn}
}

// A disk that fails is told as long as it does, and what it lost until the end.
func TestFailingDisk(t *testing.T) {
	f, s := faultyKeeper(t, time.Minute)
	if c := journalCheck(t, s); c.State != api.OK || c.Detail != "" {
		t.Errorf("at first %+v", c)
	}
	full := errors.New("disk full")
	f.fail.Store(&full)
	for range 2 {
		if err := s.keeper.Write(t.Context(), record("s-1"), true); !errors.Is(err, full) {
			t.Errorf("got %v", err)
		}
	}
	if c := journalCheck(t, s); c.State != api.Degraded || !strings.Contains(c.Detail, "2 records could not be kept since the start") || !strings.Contains(c.Detail, "disk full") {
		t.Errorf("while it fails %+v", c)
	}
	f.fail.Store(nil)
	if err := s.keeper.SaveAsks(t.Context(), "s", nil); err != nil {
		t.Fatal(err)
	}
	if c := journalCheck(t, s); c.State != api.OK || c.Detail != "2 records could not be kept since the start" {
		t.Errorf("afterwards %+v", c)
	}
	if err := s.keeper.close(); err != nil {
		t.Error(err)
	}
	if err := s.keeper.Write(t.Context(), record("s-1"), true); !errors.Is(err, errNoKeeper) {
		t.Errorf("after the end: %v", err)
	}
}

// A disk that hangs holds no turn up, and gets what was to be written when it
// answers again.
func TestHangingDisk(t *testing.T) {
	f, s := faultyKeeper(t, time.Millisecond)
	gate := make(chan struct{})
	f.gate.Store(&gate)
	const writes = 5
	for range writes {
		if err := s.keeper.Write(t.Context(), record("s-1"), false); !errors.Is(err, errSlowDisk) {
			t.Fatalf("got %v", err)
		}
	}
	if c := journalCheck(t, s); c.State != api.Degraded || !strings.Contains(c.Detail, "5 writes wait for it") {
		t.Errorf("while it hangs %+v", c)
	}
	if _, err := s.keeper.LastTurn(t.Context(), "s"); !errors.Is(err, errSlowDisk) {
		t.Errorf("reading gave %v", err)
	}
	// More than can wait is lost, and counted.
	var err error
	for range 2 * diskQueue {
		if err = s.keeper.Write(t.Context(), record("s-1"), false); errors.Is(err, errFullDisk) {
			break
		}
	}
	if lost, _ := s.keeper.state(); lost != 1 || !errors.Is(err, errFullDisk) {
		t.Errorf("%d lost, %v", lost, err)
	}
	if err := s.keeper.close(); !errors.Is(err, errSlowDisk) {
		t.Errorf("closing gave %v", err)
	}
	close(gate)
	<-s.keeper.done
	contents, err := s.Journal.Check(t.Context())
	if err != nil || contents.Records < writes || contents.Broken != "" {
		t.Errorf("in the end there is %+v, %v", contents, err)
	}
	if _, err := s.keeper.state(); err != nil && !errors.Is(err, errFullDisk) {
		t.Errorf("in the end the disk is said to be: %v", err)
	}
}

// A turn that was stopped is kept all the same.
func TestStoppedTurnIsKept(t *testing.T) {
	_, s := faultyKeeper(t, time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.keeper.Write(ctx, record("s-1"), true); err != nil {
		t.Error(err)
	}
	if err := s.keeper.close(); err != nil {
		t.Error(err)
	}
}

// What was lost before the start is told, and a journal that cannot be read is as
// good as none.
func TestLostBefore(t *testing.T) {
	m := new(store.Memory)
	j, err := journal.Open(m)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := j.Write(t.Context(), record("s-1"), true); err != nil {
			t.Fatal(err)
		}
	}
	newest := []byte("turn/r\x00\x00\x00\x00\x00\x00\x00\x03")
	if err := m.Batch(store.Delete(newest)); err != nil {
		t.Fatal(err)
	}
	s := bare(t)
	s.o.Store = m
	s.openJournal()
	if c := journalCheck(t, s); c.State != api.Degraded || c.Detail != "the last 1 records of the journal are gone" {
		t.Errorf("%+v", c)
	}
	if err := m.Batch(store.Set([]byte("turn/h"), nil)); err != nil {
		t.Fatal(err)
	}
	s = bare(t)
	s.o.Store = m
	s.openJournal()
	if c := journalCheck(t, s); s.Journal != nil || c.State != api.Degraded || !strings.Contains(c.Detail, "damaged") {
		t.Errorf("%+v", c)
	}
}
