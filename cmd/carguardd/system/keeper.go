// SPDX-License-Identifier: Apache-2.0

package system

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store/journal"
)

// diskTime is how long a turn waits for the disk, each time that it writes. It is
// the disk's own time, whatever clock the car has.
const diskTime = time.Second

// diskQueue is how many writes may wait for a disk that does not answer: a few
// turns. What comes then is lost.
const diskQueue = 64

var (
	errSlowDisk = errors.New("the disk does not answer; what was to be written is written when it does")
	errFullDisk = errors.New("the disk does not answer, and too much waits for it")
	errNoKeeper = errors.New("the journal is closed")
)

// keeper is the journal as conversations use it: one write after the other, in a
// goroutine of its own, so that a disk which hangs costs a turn some seconds and
// never its actuation. It knows how the disk is.
type keeper struct {
	journal *journal.Journal
	limit   time.Duration

	jobs chan func()
	done chan struct{} // the goroutine has ended

	mu     sync.Mutex // guards everything that follows
	closed bool
	late   int   // writes that were given up waiting for, and are not done
	lost   int   // writes that failed
	last   error // of the last write; nil: it was made
}

var _ harness.Journal = (*keeper)(nil)

func newKeeper(j *journal.Journal, limit time.Duration) *keeper {
	k := &keeper{journal: j, limit: limit, jobs: make(chan func(), diskQueue), done: make(chan struct{})}
	go func() {
		defer close(k.done)
		for job := range k.jobs {
			job()
		}
	}()
	return k
}

// close waits for what is under way, but no longer than a hanging disk deserves.
func (k *keeper) close() error {
	k.mu.Lock()
	if !k.closed {
		k.closed = true
		close(k.jobs)
	}
	k.mu.Unlock()
	select {
	case <-k.done:
		return nil
	case <-time.After(k.limit):
		return errSlowDisk
	}
}

// try has f done in its turn and waits for it.
func (k *keeper) try(f func() error) error {
	result := make(chan error, 1)
	if err := k.enqueue(func() { result <- f() }); err != nil {
		return err
	}
	wait := time.NewTimer(k.limit)
	defer wait.Stop()
	select {
	case err := <-result:
		return err
	case <-wait.C:
		return errSlowDisk
	}
}

func (k *keeper) enqueue(job func()) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return errNoKeeper
	}
	select {
	case k.jobs <- job:
		return nil
	default:
		return errFullDisk
	}
}

// write is try for something that must not be lost unnoticed.
func (k *keeper) write(f func() error) error {
	var done, late bool // k.mu guards them
	err := k.try(func() error {
		err := f()
		k.mu.Lock()
		defer k.mu.Unlock()
		if done = true; late {
			k.late--
		}
		k.wrote(err)
		return err
	})
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case errors.Is(err, errSlowDisk) && !done:
		late = true
		k.late++
	case errors.Is(err, errFullDisk), errors.Is(err, errNoKeeper):
		k.wrote(err)
	}
	return err
}

func (k *keeper) wrote(err error) {
	if k.last = err; err != nil {
		k.lost++
	}
}

// state says how the disk is: what went wrong with the last write, or that it does
// not answer. lost counts writes that failed since the start.
func (k *keeper) state() (lost int, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	err = k.last
	if k.late > 0 {
		err = fmt.Errorf("the disk does not answer; %d writes wait for it", k.late)
	}
	return k.lost, err
}

// Write implements [harness.Journal]. A turn that is stopped is kept all the same.
func (k *keeper) Write(ctx context.Context, r harness.Record, durable bool) error {
	ctx = context.WithoutCancel(ctx)
	return k.write(func() error { return k.journal.Write(ctx, r, durable) })
}

// SaveAsks implements [harness.Journal].
func (k *keeper) SaveAsks(ctx context.Context, session string, asks []*harness.Ask) error {
	ctx = context.WithoutCancel(ctx)
	return k.write(func() error { return k.journal.SaveAsks(ctx, session, asks) })
}

// LoadAsks implements [harness.Journal].
func (k *keeper) LoadAsks(ctx context.Context, session string) (asks []*harness.Ask, err error) {
	return read(k, func() ([]*harness.Ask, error) { return k.journal.LoadAsks(ctx, session) })
}

// LastTurn implements [harness.Journal].
func (k *keeper) LastTurn(ctx context.Context, session string) (int, error) {
	return read(k, func() (int, error) { return k.journal.LastTurn(ctx, session) })
}

// read returns what f reads; a late answer belongs to nobody.
func read[T any](k *keeper, f func() (T, error)) (T, error) {
	got := make(chan T, 1)
	err := k.try(func() error {
		v, err := f()
		got <- v
		return err
	})
	select {
	case v := <-got:
		return v, err
	default:
		var none T
		return none, err
	}
}

// NoStore says why nothing can be kept that should be; nil: it can.
func (s *System) NoStore() error { return s.o.NoStore }

// Retain deletes what is older than the newest turns, as soon as there are some
// more than those: the journal is read as a whole to make room.
func (s *System) Retain(ctx context.Context, turns int) error {
	if s.Journal == nil || s.Journal.Closed() <= turns+turns/retainPart {
		return nil
	}
	return s.Journal.Retain(ctx, turns)
}

// retainPart is the part of the turns to keep by which the journal may grow beyond
// them.
const retainPart = 20
