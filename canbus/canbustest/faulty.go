// SPDX-License-Identifier: Apache-2.0

package canbustest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/carguardd/carguardd/canbus"
)

// ErrInjected is the error of a send that a test made fail.
var ErrInjected = errors.New("injected fault")

// Faulty passes everything through to another bus and breaks what it is told
// to. All methods may be called from any goroutine.
type Faulty struct {
	inner canbus.Bus
	clock canbus.Clock
	subscribers
	cancel func()

	mu          sync.Mutex // guards what follows
	forced      *canbus.Link
	loseRx      func(canbus.Frame) bool
	loseTx      func(canbus.Frame) bool
	failTx      func(canbus.Frame) bool
	delay       time.Duration
	dropped     uint64
	errorFrames uint64
}

// NewFaulty returns a bus without faults in front of inner; closing it closes
// inner. A nil clock is the wall clock; it passes the time of slow writes.
func NewFaulty(inner canbus.Bus, c canbus.Clock) *Faulty {
	if c == nil {
		c = canbus.WallClock{}
	}
	f := &Faulty{inner: inner, clock: c}
	f.cancel = inner.Subscribe(f.receive)
	return f
}

// LoseReceived drops received frames for which lose returns true; nil none.
func (f *Faulty) LoseReceived(lose func(canbus.Frame) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loseRx = lose
}

// LoseSent drops frames on their way out though Send says nil: a command that
// no control unit ever saw. Nil drops none.
func (f *Faulty) LoseSent(lose func(canbus.Frame) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loseTx = lose
}

// FailSent makes Send return [ErrInjected] where fail returns true; nil none.
func (f *Faulty) FailSent(fail func(canbus.Frame) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failTx = fail
}

// SlowSend makes every Send take d on the clock, or end with its context.
func (f *Faulty) SlowSend(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = d
}

// ForceLink holds the link in a state, whatever the inner bus says; nothing is
// received while it does not allow sending.
func (f *Faulty) ForceLink(state canbus.LinkState, cause string) {
	f.setForced(&canbus.Link{State: state, Cause: cause})
}

// ReleaseLink returns to the state of the inner bus.
func (f *Faulty) ReleaseLink() { f.setForced(nil) }

func (f *Faulty) setForced(l *canbus.Link) {
	f.mu.Lock()
	f.forced = l
	f.mu.Unlock()
	f.emitLink()
}

// Storm counts n error frames of a controller that is error-passive. The link
// changes once; the subscribers see one event, as with a real controller.
func (f *Faulty) Storm(n int) {
	f.mu.Lock()
	f.errorFrames += uint64(n)
	f.mu.Unlock()
	f.ForceLink(canbus.LinkPassive, "storm of error frames")
}

func (f *Faulty) emitLink() {
	now := f.clock.Now()
	f.emit(canbus.Event{Time: now, Stamp: now, Kind: canbus.LinkEvent, Link: f.Link()})
}

func (f *Faulty) receive(ev canbus.Event) {
	f.mu.Lock()
	forced := f.forced
	lost := ev.Kind == canbus.FrameEvent && ((forced != nil && !forced.State.CanSend()) || (f.loseRx != nil && f.loseRx(ev.Frame)))
	if lost {
		f.dropped++
	}
	f.mu.Unlock()
	ended := ev.Kind == canbus.LinkEvent && ev.Link.State == canbus.LinkEnded
	if !lost && (ev.Kind == canbus.FrameEvent || forced == nil || ended) {
		f.emit(ev)
	}
}

// Send implements [canbus.Bus].
func (f *Faulty) Send(ctx context.Context, frame canbus.Frame) error {
	f.mu.Lock()
	forced, delay := f.forced, f.delay
	lose, fail := f.loseTx != nil && f.loseTx(frame), f.failTx != nil && f.failTx(frame)
	f.mu.Unlock()
	if err := frame.Validate(); err != nil {
		return err
	}
	if forced != nil && !forced.State.CanSend() {
		return &canbus.LinkError{Link: *forced}
	}
	if delay > 0 {
		if err := f.clock.Sleep(ctx, delay); err != nil {
			return err
		}
	}
	switch {
	case fail:
		return ErrInjected
	case lose:
		return ctx.Err()
	}
	return f.inner.Send(ctx, frame)
}

// Link implements [canbus.Bus].
func (f *Faulty) Link() canbus.Link {
	inner := f.inner.Link()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.forced != nil && inner.State != canbus.LinkEnded {
		return *f.forced
	}
	return inner
}

// Stats implements [canbus.Bus].
func (f *Faulty) Stats() canbus.Stats {
	s := f.inner.Stats()
	f.mu.Lock()
	defer f.mu.Unlock()
	s.Dropped += f.dropped
	s.ErrorFrames += f.errorFrames
	return s
}

// Close implements [canbus.Bus].
func (f *Faulty) Close() error {
	err := f.inner.Close()
	f.cancel()
	return err
}

var _ canbus.Bus = (*Faulty)(nil)
