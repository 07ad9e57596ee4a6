// SPDX-License-Identifier: Apache-2.0

package harnesstest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// Car carries out calls on a state in memory by what the profile declares,
// at once. It notes every call.
type Car struct {
	Catalog *vehicle.Catalog
	// Answers gives the results of tools that no signal answers, by tool.
	Answers map[string]vehicle.Value
	// Fail makes calls of a tool fail with the reason, until it is removed.
	Fail map[string]string
	// Before is called before a call is carried out; tests change the car by
	// hand with it.
	Before func(c vehicle.Call)
	Now    func() time.Time

	mu    sync.Mutex
	state vehicle.State
	done  []vehicle.Call
	stops int
}

// NewCar returns a car that offers the catalog, with the given values; every
// other signal is unknown.
func NewCar(cat *vehicle.Catalog, values map[string]vehicle.Value) *Car {
	c := &Car{Catalog: cat, Answers: map[string]vehicle.Value{}, Fail: map[string]string{}, Now: time.Now,
		state: vehicle.NewState(len(cat.Profile.Signals))}
	for name, v := range values {
		c.Set(name, v)
	}
	return c
}

// Set changes a signal as a hand would. It panics on a name that the profile
// does not have.
func (c *Car) Set(name string, v vehicle.Value) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.Catalog.Profile.Signal(name)
	if s == nil {
		panic("no signal " + name)
	}
	c.state[s.ID] = v
}

// Get returns a signal's value.
func (c *Car) Get(name string) vehicle.Value {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state[c.Catalog.Profile.Signal(name).ID]
}

// Writes returns the writes that were carried out, each as its canonical
// text, in order.
func (c *Car) Writes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for i := range c.done {
		if t := c.Catalog.Tool(c.done[i].Tool); t == nil || t.Access == vehicle.Write {
			out = append(out, c.done[i].Canonical())
		}
	}
	return out
}

// Calls returns every call that arrived.
func (c *Car) Calls() []vehicle.Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]vehicle.Call(nil), c.done...)
}

// Stops is how often the car was stopped.
func (c *Car) Stops() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stops
}

// Do implements harness.Car.
func (c *Car) Do(_ context.Context, call vehicle.Call) vehicle.Result {
	if c.Before != nil {
		c.Before(call)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = append(c.done, call)
	r := vehicle.Result{CallID: call.ID, Tool: call.Tool, Status: vehicle.Done, At: c.Now()}
	fail := func(why string) vehicle.Result {
		r.Status, r.Reason = vehicle.Failed, why
		return r
	}
	t := c.Catalog.Tool(call.Tool)
	switch {
	case t == nil:
		return fail("no such tool")
	case c.Fail[call.Tool] != "":
		return fail(c.Fail[call.Tool])
	}
	if a, ok := c.Answers[call.Tool]; ok {
		r.Value = a
		return r
	}
	if t.Access == vehicle.Write {
		as, err := t.Effects(call.Args, nil)
		if err != nil {
			return fail(err.Error())
		}
		c.state.Apply(as)
		r.Value = call.Args
		return r
	}
	r.Value = c.answer(t)
	return r
}

// answer assembles the result of a read from the state.
func (c *Car) answer(t *vehicle.Tool) vehicle.Value {
	v := vehicle.ObjectOf()
	for _, ret := range t.Returns {
		if slices.ContainsFunc(ret.Path, func(s vehicle.Step) bool { return s.Name == "" }) {
			panic(fmt.Sprintf("result path %s has a list in it", ret.Path))
		}
		v = v.Put(ret.Path, c.state[ret.Signal])
	}
	return v
}

// Live implements harness.Car.
func (c *Car) Live(dst vehicle.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	copy(dst, c.state)
}

// Stop implements harness.Car.
func (c *Car) Stop(context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stops++
	return nil
}
