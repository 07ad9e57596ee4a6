// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"errors"
	"fmt"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// gate is one reason to refuse. Its check returns nil to let the command
// pass; a [Refusal] keeps its own gate and words, any other error refuses in
// the gate's name.
type gate struct {
	name  vehicle.Gate
	check func(*Boundary, *write) error
}

// write is a command on its way through the gates.
type write struct {
	cmd   Command
	sig   *vehicle.Signal
	route *route
	now   time.Duration // monotonic
	paid  bool          // the rates were taken in an attempt before
}

// gates is every gate, in the order in which a command passes them.
//
// Those of entry look at the command alone. Those of moment look at what
// changes with time: they are asked at the door and again right before each
// frame leaves, the guard between them, so that a guard that takes its time
// does not make what the live gates saw old.
//
// Those of held are asked before a command that left is said again: its rate is
// paid, and it is its own conflict.
var gates = struct{ entry, moment, guard, last, held []gate }{
	entry: []gate{
		{vehicle.GateAllowList, allowListGate},
		{vehicle.GateRange, rangeGate},
	},
	moment: []gate{
		{vehicle.GateStop, stopGate},
		{vehicle.GateConflict, conflictGate},
		{vehicle.GateLink, linkGate},
		{vehicle.GateInterlock, interlockGate},
		{vehicle.GateRate, rateGate},
	},
	guard: []gate{
		{vehicle.GateConsent, guardGate},
	},
	last: []gate{
		{vehicle.GateInterlock, interlockGate},
		{vehicle.GateStop, stopGate},
	},
	held: []gate{
		{vehicle.GateStop, stopGate},
		{vehicle.GateInterlock, interlockGate},
	},
}

// pass asks the gates and returns the first refusal.
func (b *Boundary) pass(w *write, lists ...[]gate) error {
	w.now = b.cfg.Clock.Mono()
	for _, l := range lists {
		for _, g := range l {
			if err := b.ask(g, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// ask asks one gate. One that panics refuses.
func (b *Boundary) ask(g gate, w *write) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Refusal{Gate: vehicle.GatePanic, Signal: w.name(), Rule: string(g.name), Evidence: fmt.Sprint(p)}
		}
	}()
	err = g.check(b, w)
	if err == nil {
		return nil
	}
	var r *Refusal
	if errors.As(err, &r) {
		return r
	}
	return &Refusal{Gate: g.name, Signal: w.name(), Evidence: err.Error(), Cause: err}
}

func (w *write) name() string {
	if w.sig == nil {
		return ""
	}
	return w.sig.Name
}

// allowListGate finds how the signal's commands leave.
func allowListGate(b *Boundary, w *write) error {
	if w.cmd.Signal < 0 || int(w.cmd.Signal) >= len(b.routes) {
		return vehicle.Refusef(vehicle.GateAllowList, "", "the profile has no signal %d", w.cmd.Signal)
	}
	w.sig, w.route = b.profile.Signals[w.cmd.Signal], b.routes[w.cmd.Signal]
	if w.route == nil {
		return errors.New("the profile declares no command for it")
	}
	return nil
}

func rangeGate(_ *Boundary, w *write) error { return w.sig.Check(w.cmd.Value) }

func stopGate(b *Boundary, w *write) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stopped(w)
}

// stopped says why the command's turn may not send it any more, or nil. b.mu
// is held.
func (b *Boundary) stopped(w *write) error {
	switch {
	case b.closed:
		return errors.New("the boundary is closed")
	case w.sig.Motion == nil || w.cmd.Epoch == b.epoch:
		return nil
	case w.cmd.Epoch == 0:
		return errors.New("the command does not say in which epoch its turn began")
	}
	return errors.New("everything was stopped since its turn began")
}

func conflictGate(b *Boundary, w *write) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.flights[w.cmd.Signal]
	if f == nil || f.value.Equal(w.cmd.Value) || (f.call == w.cmd.Call && f.call != "") || !b.underWay(f, w.now) {
		return nil
	}
	return fmt.Errorf("another command towards %v%s is under way", f.value, w.sig.Unit.Suffix())
}

func linkGate(b *Boundary, w *write) error {
	switch p := w.route.port; {
	case b.cfg.Plant != nil:
		return nil
	case p.can != nil:
		if l := p.can.Link(); !l.State.CanSend() {
			return fmt.Errorf("bus %s is %v", p.name, l)
		}
	case b.cfg.MQTT == nil:
		return errors.New("no mqtt client is configured")
	case !b.cfg.MQTT.Connected():
		return errors.New("the mqtt broker is not connected")
	}
	return nil
}

func rateGate(b *Boundary, w *write) error {
	if w.paid {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.rates[w.cmd.Signal] {
		if !t.has(w.now) {
			return &Refusal{Gate: vehicle.GateRate, Signal: w.sig.Name, Rule: w.sig.Name, Evidence: fmt.Sprintf("more than %v", t)}
		}
	}
	if p := w.route.port; b.cfg.Plant == nil && !p.load.has(w.now) {
		return &Refusal{Gate: vehicle.GateRate, Signal: w.sig.Name, Rule: p.name, Evidence: fmt.Sprintf("more than %v on bus %s", p.load, p.name)}
	}
	return nil
}

func guardGate(_ *Boundary, w *write) error {
	if w.cmd.Guard == nil {
		return nil
	}
	return w.cmd.Guard(w.cmd)
}
