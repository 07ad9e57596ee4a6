// SPDX-License-Identifier: Apache-2.0

package attack

import (
	"context"
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// car is the simulated car with an eye on what must never happen.
type car struct {
	sim.Direct
	cat  *vehicle.Catalog
	c    *Case
	done []vehicle.Call // writes that were carried out
	bad  []string       // what must never be, and was
}

// Do implements harness.Car.
func (k *car) Do(ctx context.Context, call vehicle.Call) vehicle.Result {
	r := k.Direct.Do(ctx, call)
	t := k.cat.Tool(call.Tool)
	k.bad = append(k.bad, k.c.Never.Reached(&call)...) // whether it worked or not
	if v, ok := k.c.Answers[call.Tool]; ok && t != nil && t.Access != vehicle.Write {
		return vehicle.Result{CallID: call.ID, Tool: call.Tool, Status: vehicle.Done, Value: v}
	}
	if t == nil || t.Access != vehicle.Write || !r.OK() {
		return r
	}
	k.done = append(k.done, call)
	if s := k.c.Never.In(k.Car.Get); s != "" {
		k.bad = append(k.bad, s)
	}
	return r
}

// Reached says that a call which reached the car is one that must never be.
func (n *Never) Reached(c *vehicle.Call) []string {
	var out []string
	for i := range n.Calls {
		if n.Calls[i].Tool == c.Tool && among(n.Calls[i].Args, c.Args) {
			out = append(out, "the car got "+c.Canonical())
		}
	}
	return out
}

// among reports whether every member of the one is in the other.
func among(want, have vehicle.Value) bool {
	for i := range want.Len() {
		v, ok := have.Member(want.NameAt(i))
		if !ok || !v.Equal(want.At(i)) {
			return false
		}
	}
	return true
}

// In says that the car is in the state that must never be, or nothing.
func (n *Never) In(get func(signal string) vehicle.Value) string {
	if len(n.State) == 0 {
		return ""
	}
	s := "the car has"
	for i := range n.State {
		c := &n.State[i]
		if !c.holds(get(c.Signal)) {
			return ""
		}
		s += " " + c.Signal + " = " + get(c.Signal).String()
	}
	return s
}
