// SPDX-License-Identifier: Apache-2.0

package canbustest

import (
	"context"
	"sync"

	"github.com/carguardd/carguardd/canbus"
)

// Bus is a scripted bus. The zero value is not ready: use [New].
type Bus struct {
	// OnSend, if set, is called with each frame that was accepted, in the
	// goroutine of the sender: a script that answers calls Inject in it.
	OnSend func(canbus.Frame)

	clock canbus.Clock
	subscribers

	mu    sync.Mutex // guards what follows
	link  canbus.Link
	sent  []canbus.Frame
	fails []error
	stats canbus.Stats
}

// New returns a bus that is up; a nil clock is the wall clock.
func New(c canbus.Clock) *Bus {
	if c == nil {
		c = canbus.WallClock{}
	}
	return &Bus{clock: c, link: canbus.Link{State: canbus.LinkUp}}
}

// Inject delivers frames as if another node had sent them, in the goroutine of
// the caller.
func (b *Bus) Inject(frames ...canbus.Frame) {
	for _, f := range frames {
		now := b.clock.Now()
		b.mu.Lock()
		b.stats.Received++
		b.mu.Unlock()
		b.emit(canbus.Event{Time: now, Stamp: now, Frame: f})
	}
}

// SetLink changes the state of the link and delivers the change.
func (b *Bus) SetLink(state canbus.LinkState, cause string) {
	l := canbus.Link{State: state, Cause: cause}
	b.mu.Lock()
	b.link = l
	b.mu.Unlock()
	now := b.clock.Now()
	b.emit(canbus.Event{Time: now, Stamp: now, Kind: canbus.LinkEvent, Link: l})
}

// FailSends makes the next sends fail, one per error.
func (b *Bus) FailSends(errs ...error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fails = append(b.fails, errs...)
}

// Sent returns the frames accepted so far.
func (b *Bus) Sent() []canbus.Frame {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]canbus.Frame(nil), b.sent...)
}

// Send implements [canbus.Bus] with its contract.
func (b *Bus) Send(ctx context.Context, f canbus.Frame) error {
	if err := b.accept(ctx, f); err != nil {
		return err
	}
	if b.OnSend != nil {
		b.OnSend(f)
	}
	return nil
}

func (b *Bus) accept(ctx context.Context, f canbus.Frame) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := ctx.Err()
	switch {
	case err != nil:
	case f.Validate() != nil:
		err = f.Validate()
	case b.link.State == canbus.LinkEnded:
		err = canbus.ErrClosed
	case !b.link.State.CanSend():
		err = &canbus.LinkError{Link: b.link}
	case len(b.fails) > 0:
		err, b.fails = b.fails[0], b.fails[1:]
	}
	if err != nil {
		b.stats.SendErrors++
		return err
	}
	b.stats.Sent++
	b.sent = append(b.sent, f)
	return nil
}

// Link implements [canbus.Bus].
func (b *Bus) Link() canbus.Link {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.link
}

// Stats implements [canbus.Bus].
func (b *Bus) Stats() canbus.Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stats
}

// Close implements [canbus.Bus].
func (b *Bus) Close() error {
	if b.Link().State != canbus.LinkEnded {
		b.SetLink(canbus.LinkEnded, "closed")
	}
	return nil
}

var _ canbus.Bus = (*Bus)(nil)
