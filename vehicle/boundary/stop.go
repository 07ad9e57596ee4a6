// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// movedLately is how recently a position must have changed for its movement to
// be ended by a stop even if nobody here commanded it: by hand, or by a
// process that is gone.
const movedLately = 2 * time.Second

// Stop ends every movement within 100 ms and begins a new epoch. It passes no
// gate and uses up no rate. What is ended: each movement that was commanded
// and not observed to arrive, and each position that changed within the last
// two seconds. It returns what it sent, and an error that names every movement
// it could not end. The end of ctx does not keep it from working.
func (b *Boundary) Stop(ctx context.Context) ([]vehicle.Trace, error) {
	b.mu.Lock()
	b.endEpoch()
	b.epoch++
	b.epochCtx, b.endEpoch = context.WithCancel(context.Background())
	moving := b.moving()
	b.dropMovements()
	b.mu.Unlock()
	b.count.mu.Lock()
	b.count.stops++
	b.count.mu.Unlock()

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	halts := map[*port]*halt{}
	for _, r := range moving {
		h := halts[r.port]
		if h == nil {
			h = &halt{b: b, port: r.port}
			halts[r.port] = h
		}
		h.routes = append(h.routes, r)
	}
	var wg sync.WaitGroup
	for _, h := range halts {
		wg.Go(func() { h.run(ctx) })
	}
	wg.Wait()
	var traces []vehicle.Trace
	var errs []error
	for _, h := range halts {
		traces, errs = append(traces, h.traces...), append(errs, h.errs...)
	}
	slices.SortStableFunc(traces, func(a, b vehicle.Trace) int { return a.At.Compare(b.At) })
	if err := errors.Join(errs...); err != nil {
		return traces, fmt.Errorf("stop: %w", err)
	}
	return traces, nil
}

// moving returns the routes of everything that moves or may, commanded
// movements first. b.mu is held.
func (b *Boundary) moving() []*route {
	var commanded, seen []*route
	for id, r := range b.routes {
		if r == nil || r.sig.Motion == nil {
			continue
		}
		f := b.flights[vehicle.SignalID(id)]
		o := b.cfg.Live.Get(vehicle.SignalID(id))
		switch {
		case f != nil && !b.arrived(f):
			commanded = append(commanded, r)
		case o.Moved && o.Still < movedLately:
			seen = append(seen, r)
		}
		delete(b.flights, vehicle.SignalID(id)) // nobody's command is under way any more
	}
	return append(commanded, seen...)
}

// halt ends the movements of one port.
type halt struct {
	b      *Boundary
	port   *port
	routes []*route
	traces []vehicle.Trace
	errs   []error
}

// run sends the stop values. A write that holds the port is waited for, but
// not long: then the stop goes out beside it, and once more behind it.
func (h *halt) run(ctx context.Context) {
	behind := false
	select {
	case <-h.port.free:
		defer func() { h.port.free <- struct{}{} }()
	case <-time.After(writeTime):
		behind = true
	}
	for _, r := range h.routes {
		if err := h.send(ctx, r); err != nil {
			h.errs = append(h.errs, fmt.Errorf("%s: %w", r.sig.Name, err))
		}
	}
	if !behind {
		return
	}
	select {
	case <-h.port.free:
		defer func() { h.port.free <- struct{}{} }()
	case <-ctx.Done():
		return
	}
	for _, r := range h.routes {
		if err := h.send(ctx, r); err != nil {
			h.errs = append(h.errs, fmt.Errorf("%s: %w", r.sig.Name, err))
		}
	}
}

// send sends one stop value, again while the queue is full.
func (h *halt) send(ctx context.Context, r *route) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	v, err := h.b.stopValue(r)
	if err != nil {
		return err
	}
	out, err := h.b.outgoing(r, v, h.b.cfg.Clock.Mono(), true)
	if err != nil {
		return err
	}
	for {
		at := h.b.cfg.Clock.Now()
		var text string
		text, err = out.send(ctx)
		if err == nil {
			h.b.count.add(&h.b.count.sent, h.port.name)
			h.b.keep(r, Command{Signal: r.sig.ID, Value: v}, true)
			h.traces = append(h.traces, vehicle.Trace{At: at, Dir: "tx", Bus: h.port.name, Text: text, Signal: r.sig.Name, Value: v})
			return nil
		}
		if !full(err) || ctx.Err() != nil {
			h.b.count.add(&h.b.count.failed, h.port.name)
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Millisecond):
		}
	}
}

// stopValue is what ends the signal's movement: the position last observed,
// else the stop value that the profile declares.
func (b *Boundary) stopValue(r *route) (vehicle.Value, error) {
	m := r.sig.Motion
	if m.Hold {
		if v := b.cfg.Live.Value(r.sig.ID); v.Known() {
			return v, nil
		}
	}
	if m.Stop.Known() {
		return m.Stop, nil
	}
	return vehicle.Value{}, errors.New("its position is not known and the profile declares no stop value")
}
