// SPDX-License-Identifier: Apache-2.0

package vehicletest

import (
	"sync"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// Clock is a [vehicle.Clock] that is turned by hand. The zero value is no
// clock; make one with [NewClock].
type Clock struct {
	mu      sync.Mutex
	changed *sync.Cond // the set of running timers changed
	base    time.Time  // wall time at mono 0
	mono    time.Duration
	seq     uint64
	timers  []*timer // running, in no order
}

var _ vehicle.Clock = (*Clock)(nil)

// NewClock returns a clock that shows the given wall time and stands still.
func NewClock(now time.Time) *Clock {
	c := &Clock{base: now.Round(0)}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// Now returns the wall time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.base.Add(c.mono)
}

// Mono returns how far the clock was advanced since it was made.
func (c *Clock) Mono() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mono
}

// JumpWall moves the wall clock by d, forwards or back, and nothing else.
func (c *Clock) JumpWall(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = c.base.Add(d)
}

// After delivers once when the clock was advanced by d.
func (c *Clock) After(d time.Duration) <-chan time.Time { return c.NewTimer(d).C() }

// NewTimer returns a timer whose channel delivers after d.
func (c *Clock) NewTimer(d time.Duration) vehicle.Timer {
	t := &timer{clock: c, ch: make(chan time.Time, 1)}
	c.start(t, d)
	return t
}

// AfterFunc calls f when the clock was advanced by d: in the goroutine of
// Advance, or in this one when d is not above 0.
func (c *Clock) AfterFunc(d time.Duration, f func()) vehicle.Timer {
	t := &timer{clock: c, fn: f}
	c.start(t, d)
	return t
}

// Advance turns the clock forwards by d and fires what falls due, in order.
// It must not be called from a function of AfterFunc.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	end := c.mono + d
	for c.fireNext(end) {
	}
	c.mono = max(c.mono, end)
	c.mu.Unlock()
}

// Step advances to the next deadline, fires it alone and reports whether
// there was one.
func (c *Clock) Step() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fireNext(1<<63 - 1)
}

// Next returns how long it is until the next deadline, and whether any timer
// runs.
func (c *Clock) Next() (time.Duration, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.next(); t != nil {
		return t.at - c.mono, true
	}
	return 0, false
}

// Waiting returns how many timers run.
func (c *Clock) Waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.timers)
}

// BlockUntil returns when at least n timers run.
func (c *Clock) BlockUntil(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.timers) < n {
		c.changed.Wait()
	}
}

// next returns the running timer that falls due first. c.mu is held.
func (c *Clock) next() *timer {
	var first *timer
	for _, t := range c.timers {
		if first == nil || t.at < first.at || (t.at == first.at && t.seq < first.seq) {
			first = t
		}
	}
	return first
}

// fireNext fires the next timer due by end. c.mu is held, and released while
// a function runs.
func (c *Clock) fireNext(end time.Duration) bool {
	t := c.next()
	if t == nil || t.at > end {
		return false
	}
	c.mono = max(c.mono, t.at)
	c.remove(t)
	c.fire(t)
	return true
}

func (c *Clock) fire(t *timer) {
	if t.fn == nil {
		select {
		case t.ch <- c.base.Add(c.mono):
		default:
		}
		return
	}
	c.mu.Unlock()
	defer c.mu.Lock()
	t.fn()
}

func (c *Clock) start(t *timer, d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	t.seq, t.at = c.seq, c.mono+d
	if d <= 0 {
		c.fire(t)
		return
	}
	c.timers = append(c.timers, t)
	c.changed.Broadcast()
}

// remove takes the timer out and reports whether it was running. c.mu is held.
func (c *Clock) remove(t *timer) bool {
	for i, o := range c.timers {
		if o == t {
			c.timers[i] = c.timers[len(c.timers)-1]
			c.timers = c.timers[:len(c.timers)-1]
			c.changed.Broadcast()
			return true
		}
	}
	return false
}

type timer struct {
	clock *Clock
	at    time.Duration
	seq   uint64
	ch    chan time.Time
	fn    func()
}

func (t *timer) C() <-chan time.Time { return t.ch }

func (t *timer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	t.drain()
	return t.clock.remove(t)
}

func (t *timer) Reset(d time.Duration) bool {
	was := t.Stop()
	t.clock.start(t, d)
	return was
}

func (t *timer) drain() {
	select {
	case <-t.ch:
	default:
	}
}
