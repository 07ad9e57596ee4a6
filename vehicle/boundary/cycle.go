// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
)

// repetitions is how often a command of a message with a cycle is said again
// when neither DBC nor profile says it.
const repetitions = 3

// cycle is how a message is sent besides the first frame of each command. Its
// zero value is never sent again.
type cycle struct {
	always bool          // also while nothing is asked
	slow   time.Duration // while nothing is asked
	fast   time.Duration // while something is
	times  int           // a command is said again
}

// cycleOf is what the DBC says of a message of commands.
func cycleOf(m *dbc.Message, quiet bool) cycle {
	c := cycle{slow: m.CycleTime, fast: m.FastCycle, times: m.Repetitions}
	if c.fast == 0 {
		c.fast = m.CycleTime
	}
	if c.fast == 0 {
		return cycle{}
	}
	if m.SendType != dbc.OnEvent && c.times == 0 {
		c.times = repetitions
	}
	c.always = m.SendType == dbc.Cyclic && !quiet
	return c
}

// timesOf is how often the signal's command is said again.
func (c cycle) timesOf(s *vehicle.Signal) int {
	if h := s.Command.Hold; h > 0 && c.fast > 0 {
		return int((h + c.fast - 1) / c.fast)
	}
	return c.times
}

// wake beats the message after d, and no earlier. b.mu is held.
func (b *Boundary) wake(m *message, d time.Duration) {
	if m.timer != nil {
		m.timer.Stop()
	}
	m.due = b.cfg.Clock.Mono() + d
	m.beats++
	n := m.beats
	m.timer = b.cfg.Clock.AfterFunc(d, func() { b.beat(m, n) })
}

// beat is one cycle of a message, unless another one was arranged since. It does
// not wait for a bus that is in use. One that comes much too late, after the machine
// was suspended, says no command again: it was asked for long ago.
func (b *Boundary) beat(m *message, n uint64) {
	b.mu.Lock()
	if b.closed || m.beats != n {
		b.mu.Unlock()
		return
	}
	b.running.Add(1)
	defer b.running.Done()
	p := m.port()
	select {
	case <-p.free:
	default:
		due := m.due
		b.wake(m, time.Millisecond)
		m.due = due
		b.mu.Unlock()
		return
	}
	defer func() { p.free <- struct{}{} }()
	if b.cfg.Clock.Mono()-m.due > vehicle.FreshAfter(m.cycle.fast) {
		b.dropHeld(m)
	}
	b.mu.Unlock()
	more := false
	for _, branch := range m.branches {
		more = b.say(m, branch) || more
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || m.beats != n || !(more || m.cycle.always) {
		return
	}
	every := m.cycle.slow
	if more || every == 0 {
		every = m.cycle.fast
	}
	due, now := m.due+every, b.cfg.Clock.Mono()
	if due <= now { // late by a cycle and more: no burst
		due = now + every
	}
	b.wake(m, due-now)
	m.due = due
}

// say sends the frame of one branch of a message as it is now, and reports
// whether there will be something to say in the next cycle. The port is held.
func (b *Boundary) say(m *message, branch []*route) (more bool) {
	p := m.port()
	defer func() {
		if v := recover(); v != nil { // as everywhere here: what panics sends nothing
			b.drop(p)
			_ = b.refuse(Command{Signal: branch[0].sig.ID}, &Refusal{Gate: vehicle.GatePanic, Signal: branch[0].sig.Name, Rule: string(vehicle.GateEncode), Evidence: fmt.Sprint(v)})
			more = false
		}
	}()
	if !p.can.Link().State.CanSend() {
		b.lose(p)
		return false
	}
	held, force := b.heldNow(branch)
	now := b.cfg.Clock.Mono()
	b.mu.Lock()
	release := held == 0 && m.asks(branch)
	if held == 0 && !release && !(m.cycle.always && silent(branch) && !b.foreign(m, now)) {
		b.mu.Unlock()
		return false
	}
	if !release && !force && !p.load.has(now) {
		b.skipped++
		b.mu.Unlock()
		return held > 0
	}
	p.load.take()
	b.mu.Unlock()
	// What the rest of the frame is may have become unknown: then silence says
	// less than a guess. Only the end of a command is said on an old base.
	f, err := b.encode(branch[0], now, force || release)
	if err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.skipped++
		return held > 0
	}
	if err := b.sendAgain(branch[0], f); err != nil {
		b.count.add(&b.count.failed, p.name)
		return held > 0 || release
	}
	b.count.add(&b.count.cyclic, p.name)
	b.said(m, branch, release)
	return held > 0
}

// silent reports whether a frame of the branch can ask for nothing at all. One
// that cannot is not sent unasked: to say again what is observed would be a
// command too.
func silent(branch []*route) bool {
	return !slices.ContainsFunc(branch, func(r *route) bool { _, idle := r.wire.Idle(); return !idle })
}

// foreign reports whether another node sends the message: then this one does
// not while it has nothing to ask. b.mu is held.
func (b *Boundary) foreign(m *message, now time.Duration) bool {
	got, ok := b.received[busKey{m.port().name, m.wire().Key()}]
	return ok && !got.lost && now-got.mono <= vehicle.FreshAfter(m.cycle.slow)
}

func (b *Boundary) sendAgain(r *route, f canbus.Frame) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	_, err := frameOut(r, f).send(ctx)
	return err
}
