// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
)

// restTime is how long a position must not have changed for its movement to
// count as ended.
const restTime = time.Second

// command builds the frame of a command, see encode.
func (b *Boundary) command(r *route, v vehicle.Value, now time.Duration, force bool) (canbus.Frame, error) {
	own, err := r.wire.Setting(v)
	if err != nil {
		return canbus.Frame{}, &Refusal{Gate: vehicle.GateEncode, Signal: r.sig.Name, Evidence: err.Error(), Cause: err}
	}
	return b.encode(r, now, force, own)
}

// encode builds a frame of the route's branch: what is set, and for every other
// signal of the message what is held, or a content that asks for nothing new.
// With force, what was last seen counts however old it is: a stop is better sent
// on an old base than not.
func (b *Boundary) encode(r *route, now time.Duration, force bool, set ...dbc.Setting) (canbus.Frame, error) {
	settings := append(r.wire.Select(), set...)
	frame, seen := b.last(r, now, force)
	var missing []string
	for _, ds := range r.wire.Message().Signals {
		if ds.Unusable != "" || given(settings, ds.Name) || !shares(r.wire, ds) || within(ds, r.msg.guarded()) {
			continue
		}
		set, ok, err := b.rest(r, ds, seen, now, force)
		switch {
		case err != nil:
			missing = append(missing, err.Error())
		case ok:
			settings = append(settings, set)
		case !seen:
			missing = append(missing, ds.Name)
		}
	}
	if len(missing) > 0 {
		return canbus.Frame{}, vehicle.Refusef(vehicle.GateBase, r.sig.Name,
			"no known content for %s of message %s", strings.Join(missing, ", "), r.wire.Message().Name)
	}
	f, err := r.wire.Message().Encode(frame, settings...)
	if err != nil {
		return canbus.Frame{}, &Refusal{Gate: vehicle.GateEncode, Signal: r.sig.Name, Evidence: err.Error(), Cause: err}
	}
	return f, nil
}

// last returns the frame of the message that another node sent last, if it is
// fresh and the bus was there since, else a blank one.
func (b *Boundary) last(r *route, now time.Duration, force bool) (canbus.Frame, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	got, ok := b.received[busKey{r.port.name, r.wire.Key()}]
	if ok && (force || !got.lost && now-got.mono <= vehicle.FreshAfter(r.wire.Cycle())) {
		return got.frame, true
	}
	return r.wire.Message().Blank(), false
}

// rest returns what the signal says while another one of its message is
// commanded; not ok leaves it as the base frame has it.
func (b *Boundary) rest(r *route, ds *dbc.Signal, seen bool, now time.Duration, force bool) (set dbc.Setting, ok bool, err error) {
	var sib *route
	for _, o := range r.msg.routes {
		if o.wire.DBC == ds {
			sib = o
		}
	}
	if sib == nil {
		if seen || !ds.HasStart {
			return set, false, nil
		}
		return startValue(ds), true, nil
	}
	if v := b.heldValue(sib); v.Known() {
		set, err = sib.wire.Setting(v)
		return set, err == nil, err
	}
	if set, ok := sib.wire.Idle(); ok {
		return set, true, nil
	}
	v, err := b.holding(sib, seen, now, force)
	if err != nil || !v.Known() {
		return set, false, err
	}
	set, err = sib.wire.Setting(v)
	return set, err == nil, err
}

// startValue is the setting of a signal's start value, which the file gives
// raw.
func startValue(ds *dbc.Signal) dbc.Setting {
	raw := uint64(int64(ds.StartValue))
	switch ds.Kind {
	case dbc.Unsigned:
		return dbc.SetRaw(ds.Name, raw&(math.MaxUint64>>(64-ds.Length)))
	case dbc.Signed:
		return dbc.SetRaw(ds.Name, raw)
	}
	return dbc.Set(ds.Name, ds.StartValue*ds.Factor+ds.Offset)
}

// holding returns the value of a signal that asks for nothing new: the target
// under way, else its stop value, else what is observed of it. Unknown leaves
// it as the base frame has it. A position that somebody else is changing has
// no such value.
func (b *Boundary) holding(sib *route, seen bool, now time.Duration, force bool) (vehicle.Value, error) {
	b.mu.Lock()
	f := b.flights[sib.sig.ID]
	under, arrived := f != nil && b.underWay(f, now), f != nil && b.arrived(f)
	b.mu.Unlock()
	m, o := sib.sig.Motion, b.cfg.Live.Get(sib.sig.ID)
	switch {
	case under:
		return f.value, nil
	case m != nil && m.Stop.Known():
		return m.Stop, nil
	case seen:
		return vehicle.Value{}, nil
	case force:
		return o.Value, nil
	case m != nil && !arrived && o.Moved && o.Still < restTime:
		return vehicle.Value{}, fmt.Errorf("%s (it is moving)", sib.wire.DBC.Name)
	}
	return o.Known(), nil
}

// shares reports whether the signal is in a frame that carries the wire's.
func shares(w *vehicle.Wire, ds *dbc.Signal) bool {
	for s := w.DBC; ds.MuxedBy != nil && s.MuxedBy != nil; s = s.MuxedBy {
		if s.MuxedBy != ds.MuxedBy || len(s.Selectors) == 0 {
			continue
		}
		raw := s.Selectors[0].From
		for _, sel := range ds.Selectors {
			if sel.From <= raw && raw <= sel.To {
				return true
			}
		}
		return false
	}
	return ds.MuxedBy == nil
}

// within reports whether all bits of the signal are among those of the mask.
func within(ds *dbc.Signal, mask uint64) bool { return mask != 0 && ds.Mask()&^mask == 0 }

func given(settings []dbc.Setting, name string) bool {
	for _, s := range settings {
		if s.Signal == name {
			return true
		}
	}
	return false
}
