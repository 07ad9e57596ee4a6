// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// FaultKind is a way in which the simulated car misbehaves.
type FaultKind string

// The kinds of faults. A signal, a message of a DBC, a bus or a tool is what
// they befall.
const (
	FaultBlocked  FaultKind = "blocked"  // SIGNAL@POSITION: gets no further; without a position it does not move at all
	FaultReversed FaultKind = "reversed" // SIGNAL@POSITION: something is caught while closing, it opens again
	FaultRefused  FaultKind = "refused"  // SIGNAL: commands are ignored
	FaultDelayed  FaultKind = "delayed"  // SIGNAL@DURATION: a command takes effect that much later
	FaultWrong    FaultKind = "wrong"    // SIGNAL@VALUE: the status says this, whatever is true
	FaultStale    FaultKind = "stale"    // SIGNAL: its status is sent no more
	FaultSilent   FaultKind = "silent"   // BUS, MESSAGE, NODE of the DBC, or mqtt: nothing is sent any more
	FaultBusOff   FaultKind = "bus-off"  // BUS: the controllers leave the bus
	FaultBusDown  FaultKind = "bus-down" // BUS: the cable is cut
	FaultFailing  FaultKind = "failing"  // TOOL: the service answers with a failure
)

var faultKinds = []FaultKind{FaultBlocked, FaultReversed, FaultRefused, FaultDelayed, FaultWrong, FaultStale,
	FaultSilent, FaultBusOff, FaultBusDown, FaultFailing}

// Fault is one thing wrong with the simulated car.
type Fault struct {
	Kind   FaultKind
	Target string        // name of a signal, message, bus or tool
	At     float64       // position, in the signal's unit
	For    time.Duration // delay
	Value  vehicle.Value // value told
}

// String is the fault as [ParseFault] reads it.
func (f Fault) String() string {
	s := string(f.Kind) + ":" + f.Target
	switch f.Kind {
	case FaultBlocked, FaultReversed:
		return s + "@" + vehicle.NumberOf(f.At).String()
	case FaultDelayed:
		return s + "@" + f.For.String()
	case FaultWrong:
		return s + "@" + f.Value.String()
	}
	return s
}

// same reports whether two faults take the same place: the later one counts.
func (f Fault) same(o Fault) bool {
	if f.Target != o.Target {
		return false
	}
	how := []FaultKind{FaultBlocked, FaultReversed, FaultRefused, FaultDelayed}
	return f.Kind == o.Kind || slices.Contains(how, f.Kind) && slices.Contains(how, o.Kind)
}

// ParseFault reads KIND:TARGET or KIND:TARGET@VALUE, for example
// blocked:window_passenger_position@40, delayed:fan_speed@3s,
// wrong:vehicle_speed@130, bus-off:body. Signals and their values are checked
// against the bench's profile, buses and messages against its buses.
func (b *Bench) ParseFault(text string) (Fault, error) {
	fail := func(format string, a ...any) (Fault, error) {
		return Fault{}, fmt.Errorf("fault %q: "+format, append([]any{text}, a...)...)
	}
	kind, rest, ok := strings.Cut(strings.TrimSpace(text), ":")
	f := Fault{Kind: FaultKind(kind)}
	if !ok || !slices.Contains(faultKinds, f.Kind) {
		return fail("want KIND:TARGET or KIND:TARGET@VALUE, KIND one of %v", faultKinds)
	}
	var at string
	var hasAt bool
	f.Target, at, hasAt = strings.Cut(rest, "@")
	switch f.Kind {
	case FaultBusOff, FaultBusDown:
		if b.node(f.Target) == nil {
			return fail("no bus %q (one of %v)", f.Target, b.busNames())
		}
	case FaultSilent:
		if f.Target != mqttName && b.node(f.Target) == nil && !b.speaks(f.Target) {
			return fail("%q is neither %s, a bus (one of %v), nor a message or node on one", f.Target, mqttName, b.busNames())
		}
	case FaultFailing:
		if b.Car.Profile.Tool(f.Target) == nil {
			return fail("%s has no tool %q", b.Car.Profile.Name, f.Target)
		}
	default:
		s := b.Car.Profile.Signal(f.Target)
		if s == nil {
			return fail("%s has no signal %q%s", b.Car.Profile.Name, f.Target, nearestSignal(b.Car.Profile, f.Target))
		}
		return f.withValue(text, s, at, hasAt, b.Car.signal(s.ID))
	}
	if hasAt {
		return fail("%s takes no value", kind)
	}
	return f, nil
}

// withValue reads what stands behind the @ of a fault of a signal.
func (f Fault) withValue(text string, s *vehicle.Signal, at string, hasAt bool, is vehicle.Value) (Fault, error) {
	fail := func(format string, a ...any) (Fault, error) {
		return Fault{}, fmt.Errorf("fault %q: "+format, append([]any{text}, a...)...)
	}
	var err error
	switch f.Kind {
	case FaultRefused, FaultStale:
		if hasAt {
			return fail("%s takes no value", f.Kind)
		}
	case FaultDelayed:
		if f.For, err = time.ParseDuration(at); err != nil || f.For <= 0 {
			return fail("want a duration behind @, for example 3s")
		}
	case FaultWrong:
		if f.Value, err = ParseValue(s, at); err != nil || !hasAt {
			return fail("want a value of the signal behind @: %v", err)
		}
	default:
		v := is
		if hasAt {
			if v, err = ParseValue(s, at); err != nil {
				return fail("%v", err)
			}
		}
		f.At, _ = v.Float()
		if _, ok := v.Float(); !ok && (hasAt || f.Kind == FaultReversed) {
			return fail("want a position behind @")
		}
	}
	return f, nil
}
