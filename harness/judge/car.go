// SPDX-License-Identifier: Apache-2.0

package judge

import (
	"context"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// car is the car of a test: its state, what services answer, and what fails.
// It does at once what its profile declares.
type car struct {
	cat     *vehicle.Catalog
	state   vehicle.State // unknown: reading it tells nothing
	answers []rules.CaseCall
	fails   []string // tools whose calls fail in this turn
}

// Do implements harness.Car.
func (c *car) Do(_ context.Context, call vehicle.Call) vehicle.Result {
	r := vehicle.Result{CallID: call.ID, Tool: call.Tool, Status: vehicle.Done}
	fail := func(why string) vehicle.Result {
		r.Status, r.Reason = vehicle.Failed, why
		return r
	}
	t := c.cat.Tool(call.Tool)
	if t == nil {
		return fail("there is no such tool")
	}
	a, answered := c.answer(&call)
	if slices.Contains(c.fails, call.Tool) || answered && a.Failed {
		return fail("it does not work in this test")
	}
	if t.Access == vehicle.Write {
		as, err := t.Effects(call.Args, nil)
		if err != nil {
			return fail(err.Error())
		}
		c.state.Apply(as)
	}
	if r.Value = a.Result; !answered {
		r.Value = t.Compose(c.cat.Profile, call.Args, func(s *vehicle.Signal) vehicle.Value { return c.state[s.ID] })
	}
	return r
}

func (c *car) answer(call *vehicle.Call) (rules.CaseCall, bool) {
	for _, a := range c.answers {
		if a.Call == call.Tool && a.Args.Equal(call.Args) {
			return a, true
		}
	}
	return rules.CaseCall{}, false
}

// Live implements harness.Car: what a bus tells is seen, what a service knows
// is asked for.
func (c *car) Live(dst vehicle.State) {
	for i, s := range c.cat.Profile.Signals {
		if s.Status != nil {
			dst[i] = c.state[i]
		}
	}
}

// Stop implements harness.Car.
func (c *car) Stop(context.Context) error { return nil }
