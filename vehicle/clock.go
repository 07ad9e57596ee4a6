// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"context"
	"time"

	"github.com/carguardd/carguardd/canbus"
)

// Clock tells time and wakes those who wait for it. The daemon has one, and
// passes it to everything that measures or waits; tests and simulations pass
// one that they turn by hand. All methods may be called concurrently.
type Clock interface {
	// Now is the wall clock: for people and for records, never for ages. It
	// may jump when the car gets a position fix.
	Now() time.Time
	// Mono is the time since the clock was made, that in which the machine was
	// suspended too. It never jumps otherwise and never runs backwards: ages and
	// deadlines are differences of it. What waits for the clock may wait longer
	// by the time of a suspension.
	Mono() time.Duration
	// After delivers the time once, after d has passed.
	After(d time.Duration) <-chan time.Time
	// NewTimer returns a timer whose channel delivers once, after d.
	NewTimer(d time.Duration) Timer
	// AfterFunc calls f after d, in a goroutine of the clock's choice; f must
	// not block. The returned timer has no channel.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is one wait for a [Clock].
type Timer interface {
	// C delivers when the timer fires; nil for a timer of AfterFunc.
	C() <-chan time.Time
	// Stop keeps the timer from firing and reports whether it did so. After
	// Stop nothing is received from C.
	Stop() bool
	// Reset starts the timer anew with d and reports whether it was running.
	Reset(d time.Duration) bool
}

// SystemClock is the clock of the machine.
type SystemClock struct {
	start time.Time
	slept slept
}

// NewSystemClock returns the machine's clock, its Mono counting from now.
func NewSystemClock() *SystemClock { return newSystemClock(readSuspended) }

func newSystemClock(suspended func() suspension) *SystemClock {
	return &SystemClock{start: time.Now(), slept: slept{read: suspended, start: suspended().most}}
}

// Now returns the wall clock time.
func (c *SystemClock) Now() time.Time { return time.Now() }

// Mono returns the time since the clock was made.
func (c *SystemClock) Mono() time.Duration {
	awake := time.Since(c.start) // stands still while the machine is suspended
	return awake + c.slept.until(awake)
}

// After is [time.After].
func (c *SystemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// NewTimer is [time.NewTimer].
func (c *SystemClock) NewTimer(d time.Duration) Timer { return systemTimer{time.NewTimer(d)} }

// AfterFunc is [time.AfterFunc].
func (c *SystemClock) AfterFunc(d time.Duration, f func()) Timer {
	return systemTimer{time.AfterFunc(d, f)}
}

type systemTimer struct{ *time.Timer }

func (t systemTimer) C() <-chan time.Time { return t.Timer.C }

// BusClock is the clock for package canbus: its Now follows Mono and so never
// runs backwards.
func BusClock(c Clock) canbus.Clock { return busClock{c, c.Now().Add(-c.Mono())} }

type busClock struct {
	c    Clock
	base time.Time // wall time at mono 0
}

func (b busClock) Now() time.Time { return b.base.Add(b.c.Mono()) }

func (b busClock) Sleep(ctx context.Context, d time.Duration) error {
	t := b.c.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
