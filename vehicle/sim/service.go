// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// Direct carries out calls on a car in process, without buses: every tool,
// the car's own included, at once and with its effect observed.
type Direct struct {
	Car *Car
	Now func() time.Time // nil: results carry no time
	// Signals lets the state be seen as live signals; without it the state is
	// only known by reading tools.
	Signals bool
}

// Do carries out one call.
func (d Direct) Do(_ context.Context, c vehicle.Call) vehicle.Result {
	r := resultOf(c, d.Car.Call(c.Tool, c.Args))
	if d.Now != nil {
		r.At = d.Now()
	}
	return r
}

// Live fills dst with the state, if it is to be seen.
func (d Direct) Live(dst vehicle.State) {
	if d.Signals {
		copy(dst, d.Car.State())
	}
}

// Stop has nothing to end.
func (d Direct) Stop(context.Context) error { return nil }

// resultOf takes the envelope off.
func resultOf(c vehicle.Call, o Outcome) vehicle.Result {
	r := vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Done, Value: o.Value()}
	if o.Failed {
		r.Status, r.Value, r.Reason = vehicle.Failed, vehicle.Value{}, o.Reason()
	}
	return r
}

// Call serves a tool that belongs to a service. What it changes is published
// where the profile binds it to a topic.
func (b *Bench) Call(ctx context.Context, c vehicle.Call) vehicle.Result {
	if err := ctx.Err(); err != nil {
		return vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Failed, Reason: err.Error(), At: b.clock.Now()}
	}
	if _, failing := b.fault(FaultFailing, c.Tool); failing {
		return vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Failed,
			Reason: fmt.Sprintf("the service of %s is out of order", c.Tool), At: b.clock.Now()}
	}
	before := b.Car.State()
	r := resultOf(c, b.Car.Call(c.Tool, c.Args))
	r.At = b.clock.Now()
	var changed []vehicle.SignalID
	for id, v := range b.Car.State() {
		if !v.Equal(before[id]) {
			changed = append(changed, vehicle.SignalID(id))
		}
	}
	if len(changed) > 0 && b.enter() {
		defer b.running.Done()
		b.tell(changed)
	}
	return r
}

// ServiceTools returns the names of the tools that belong to services.
func (b *Bench) ServiceTools() []string {
	var l []string
	for _, t := range b.Car.Profile.Tools {
		if t.Service != "" {
			l = append(l, t.Name)
		}
	}
	return l
}

// Answer serves a tool whose arguments and result are JSON: what a server on a
// network calls, mqtt.Server for one.
func (b *Bench) Answer(ctx context.Context, tool string, args json.RawMessage) (json.RawMessage, error) {
	v, err := vehicle.ParseJSON(args)
	if err != nil {
		return nil, err
	}
	r := b.Call(ctx, vehicle.Call{Tool: tool, Args: v})
	if !r.OK() {
		return nil, errors.New(r.Reason)
	}
	return r.Value.AppendJSON(nil), nil
}

// State returns the values of the signals as they are in the car: it is how a
// service tells what it owns.
func (b *Bench) State(_ context.Context, ids []vehicle.SignalID) ([]vehicle.Reading, error) {
	state := b.Car.State()
	rs := make([]vehicle.Reading, len(ids))
	for i, id := range ids {
		rs[i] = vehicle.Reading{Signal: id, Value: state[id]}
	}
	return rs, nil
}

// Services returns the bench as every service of its profile, for an executor
// in the same process.
func (b *Bench) Services() map[string]vehicle.Service {
	m := map[string]vehicle.Service{}
	for _, name := range b.Car.Profile.Services {
		m[name] = b
	}
	return m
}

var _ vehicle.StateSource = (*Bench)(nil)
