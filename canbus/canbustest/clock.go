// SPDX-License-Identifier: Apache-2.0

package canbustest

import (
	"context"
	"sync"
	"time"
)

// Clock stands still until Advance is called.
type Clock struct {
	mu       sync.Mutex
	now      time.Time
	sleepers map[*sleeper]struct{}
	changed  chan struct{} // closed and replaced when somebody begins to sleep
}

type sleeper struct {
	until time.Time
	wake  chan struct{}
}

// NewClock returns a clock that shows start.
func NewClock(start time.Time) *Clock {
	return &Clock{now: start, sleepers: map[*sleeper]struct{}{}, changed: make(chan struct{})}
}

// Now implements [canbus.Clock].
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep implements [canbus.Clock].
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	c.mu.Lock()
	s := &sleeper{c.now.Add(d), make(chan struct{})}
	c.sleepers[s] = struct{}{}
	close(c.changed)
	c.changed = make(chan struct{})
	c.mu.Unlock()
	select {
	case <-s.wake:
		return nil
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.sleepers, s)
		return ctx.Err()
	}
}

// Advance moves the clock and wakes who slept long enough.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for s := range c.sleepers {
		if !s.until.After(c.now) {
			delete(c.sleepers, s)
			close(s.wake)
		}
	}
}

// AwaitSleepers waits until at least n callers sleep, or ctx ends.
func (c *Clock) AwaitSleepers(ctx context.Context, n int) error {
	for {
		c.mu.Lock()
		count, changed := len(c.sleepers), c.changed
		c.mu.Unlock()
		if count >= n {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}
