// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
)

// retryTime is how long a full queue is retried when the DBC gives the message
// no cycle.
const retryTime = 100 * time.Millisecond

// outgoing is what leaves for one or more commands. Send does it and returns
// what did: a protected frame gets its counter there.
type outgoing struct {
	send func(ctx context.Context) (text string, err error)
}

// Check asks the gates whether the command would be sent now. It sends
// nothing and uses up no rate. The guard is not asked.
func (b *Boundary) Check(cmd Command) error {
	w := &write{cmd: cmd}
	if err := b.pass(w, gates.entry, gates.moment); err != nil {
		return b.refuse(cmd, err)
	}
	_, err := b.build(w)
	return b.refuse(cmd, err)
}

// Contested implements [vehicle.Contester].
func (b *Boundary) Contested(cmd Command) error {
	w := &write{cmd: cmd}
	err := b.pass(w, gates.entry)
	if err == nil {
		err = b.ask(gate{vehicle.GateConflict, conflictGate}, w)
	}
	return b.refuse(cmd, err)
}

// Write sends the command once, or returns why not. A [Refusal] means that
// nothing left; after any other error what Sent says may have left.
func (b *Boundary) Write(ctx context.Context, cmd Command) (Sent, error) {
	w := &write{cmd: cmd}
	if err := b.pass(w, gates.entry, gates.moment); err != nil {
		return Sent{}, b.refuse(cmd, err)
	}
	sent, err := b.send(ctx, []*write{w}, func() (outgoing, error) { return b.build(w) })
	return sent, b.refuse(cmd, err)
}

// build makes what leaves for one command.
func (b *Boundary) build(w *write) (out outgoing, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Refusal{Gate: vehicle.GatePanic, Signal: w.name(), Rule: string(vehicle.GateEncode), Evidence: fmt.Sprint(p)}
		}
	}()
	return b.outgoing(w.route, w.cmd.Value, w.now, false)
}

// outgoing encodes a value for its route.
func (b *Boundary) outgoing(r *route, v vehicle.Value, now time.Duration, force bool) (outgoing, error) {
	switch {
	case b.cfg.Plant != nil:
		return outgoing{func(ctx context.Context) (string, error) {
			return r.sig.Name + " = " + v.String(), b.cfg.Plant.Apply(ctx, r.sig.ID, v)
		}}, nil
	case r.wire == nil:
		payload := r.sig.Command.TopicPayload(v)
		return outgoing{func(ctx context.Context) (string, error) {
			return r.topic + " " + string(payload), b.cfg.MQTT.Publish(ctx, r.topic, payload)
		}}, nil
	}
	f, err := b.command(r, v, now, force)
	if err != nil {
		return outgoing{}, err
	}
	return frameOut(r, f), nil
}

// frameOut sends the frame on the route's bus, protected where its message is.
func frameOut(r *route, f canbus.Frame) outgoing {
	return outgoing{func(ctx context.Context) (string, error) {
		f, giveBack := r.msg.protect(f)
		err := r.port.can.Send(ctx, f)
		if stayed(err) {
			giveBack()
		}
		return f.String(), err
	}}
}

// send brings one frame or message out for all the commands, or none. All are
// of one port.
func (b *Boundary) send(ctx context.Context, ws []*write, build func() (outgoing, error)) (Sent, error) {
	p := ws[0].route.port
	ctx, cancel := b.bound(ctx, ws)
	defer cancel(nil)
	window := retryTime
	if r := ws[0].route; r.wire != nil && r.wire.Cycle() > 0 {
		window = r.wire.Cycle()
	}
	deadline := b.cfg.Clock.Mono() + window
	for paid := false; ; paid = true {
		sent, err := b.attempt(ctx, p, ws, build, paid)
		var r *Refusal
		switch {
		case errors.As(err, &r):
			return Sent{}, err
		case !full(err):
			return sent, err
		}
		gap := min(max(window/8, time.Millisecond), 10*time.Millisecond)
		if b.cfg.Clock.Mono()+gap >= deadline {
			return Sent{}, &Refusal{Gate: vehicle.GateLink, Signal: ws[0].sig.Name, Rule: p.name,
				Evidence: fmt.Sprintf("bus %s took no frame for %v", p.name, window), Cause: err}
		}
		b.count.add(&b.count.retried, p.name)
		select {
		case <-ctx.Done():
			return Sent{}, b.ended(ctx, ws)
		case <-b.cfg.Clock.After(gap):
		}
	}
}

// bound ends ctx with the epoch when something among the commands moves.
func (b *Boundary) bound(ctx context.Context, ws []*write) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	for _, w := range ws {
		if w.sig.Motion == nil {
			continue
		}
		b.mu.Lock()
		epoch := b.epochCtx
		b.mu.Unlock()
		unhook := context.AfterFunc(epoch, func() { cancel(errStopped) })
		return ctx, func(err error) { unhook(); cancel(err) }
	}
	return ctx, cancel
}

var errStopped = errors.New("everything was stopped while it was under way")

// ended is the refusal for a write whose context ended before anything left.
func (b *Boundary) ended(ctx context.Context, ws []*write) error {
	cause := context.Cause(ctx)
	g := vehicle.GateConsent
	if errors.Is(cause, errStopped) {
		g = vehicle.GateStop
	}
	return &Refusal{Gate: g, Signal: ws[0].sig.Name, Evidence: cause.Error(), Cause: cause}
}

// attempt sends once. Whatever depends on time is asked here, with the port
// held, right before the frame leaves.
func (b *Boundary) attempt(ctx context.Context, p *port, ws []*write, build func() (outgoing, error), paid bool) (Sent, error) {
	select {
	case <-ctx.Done():
		return Sent{}, b.ended(ctx, ws)
	case <-p.free:
	}
	defer func() { p.free <- struct{}{} }()
	if ctx.Err() != nil {
		return Sent{}, b.ended(ctx, ws)
	}
	for _, w := range ws {
		w.paid = paid
		if err := b.pass(w, gates.moment); err != nil {
			return Sent{}, err
		}
	}
	out, err := build()
	if err != nil {
		return Sent{}, err
	}
	for _, w := range ws {
		if err := b.pass(w, gates.guard, gates.last); err != nil {
			return Sent{}, err
		}
	}
	flights, undo, err := b.commit(p, ws)
	if err != nil {
		return Sent{}, err
	}
	sent := Sent{At: b.cfg.Clock.Now(), Mono: ws[0].now, Bus: p.name, End: func() { b.end(flights) }}
	ctx, cancel := context.WithTimeout(ctx, p.time())
	defer cancel()
	sent.Text, err = out.send(ctx)
	b.landed(flights)
	if err != nil {
		b.count.add(&b.count.failed, p.name)
		return sent, b.unsent(err, ws, p, undo)
	}
	b.count.add(&b.count.sent, p.name)
	for _, w := range ws {
		b.keep(w.route, w.cmd, false)
	}
	return sent, nil
}

// commit takes the rates, notes the commands as under way and makes sure that
// no stop came in between: a stop that comes from here on waits for the port
// and has the last word on the bus.
func (b *Boundary) commit(p *port, ws []*write) (flights []*flight, undo func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range ws {
		if err := b.stopped(w); err != nil {
			return nil, nil, &Refusal{Gate: vehicle.GateStop, Signal: w.sig.Name, Evidence: err.Error(), Cause: err}
		}
	}
	if !ws[0].paid {
		p.load.take()
	}
	before := make([]*flight, len(ws))
	flights = make([]*flight, len(ws))
	for i, w := range ws {
		if !w.paid {
			for _, t := range b.rates[w.cmd.Signal] {
				t.take()
			}
		}
		before[i] = b.flights[w.cmd.Signal]
		flights[i] = b.launch(w)
	}
	undo = func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for i, w := range ws {
			switch {
			case b.flights[w.cmd.Signal] != flights[i]:
			case before[i] == nil:
				delete(b.flights, w.cmd.Signal)
			default:
				b.flights[w.cmd.Signal] = before[i]
			}
		}
	}
	return flights, undo, nil
}

// unsent says what it means that the bus returned an error. When it is
// certain that nothing left, the commands are not under way.
func (b *Boundary) unsent(err error, ws []*write, p *port, undo func()) error {
	switch {
	case full(err):
		undo()
		return err
	case stayed(err):
		undo()
		return &Refusal{Gate: vehicle.GateLink, Signal: ws[0].sig.Name, Rule: p.name, Evidence: err.Error(), Cause: err}
	}
	return fmt.Errorf("send %s on %s: %w", ws[0].sig.Name, p.name, err)
}

// stayed reports whether it is certain that nothing left.
func stayed(err error) bool {
	return full(err) || errors.Is(err, ErrNotSent) || errors.Is(err, canbus.ErrLink) || errors.Is(err, canbus.ErrReadOnly) ||
		errors.Is(err, canbus.ErrClosed) || errors.Is(err, canbus.ErrInvalidFrame)
}

// full reports whether the controller's queue had no room for the frame.
func full(err error) bool {
	return errors.Is(err, syscall.ENOBUFS) || errors.Is(err, syscall.EAGAIN)
}
