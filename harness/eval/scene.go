// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// Scene is a conversation played on the simulated car: the state before and
// after every call, and the states along the gold calls.
type Scene struct {
	*Conversation
	Data    *sim.Data
	Profile *vehicle.Profile // of the simulated car
	Score   sim.Score
	Gold    []vehicle.State // the start first
	At      []Moment        // by step
}

// Moment is one step on the simulated car.
type Moment struct {
	Before   vehicle.State
	After    []vehicle.State // by call
	Outcomes []sim.Outcome   // by call
}

// End is the state after the step.
func (m *Moment) End() vehicle.State {
	if n := len(m.After); n > 0 {
		return m.After[n-1]
	}
	return m.Before
}

// Play plays a conversation.
func Play(c *Conversation, d *sim.Data) (*Scene, error) {
	s, err := sim.NewScorer(c.Task, d)
	if err != nil {
		return nil, err
	}
	sc := &Scene{Conversation: c, Data: d, Profile: s.Car.Profile, Gold: s.Gold()}
	for i := range c.Steps {
		st := &c.Steps[i]
		m := Moment{Before: s.Car.State()}
		for _, call := range st.Calls {
			m.Outcomes = append(m.Outcomes, s.Car.Call(call.Tool, call.Args))
			m.After = append(m.After, s.Car.State())
		}
		if st.Speaks() {
			s.Speak()
		} else {
			s.Note(st.Calls)
		}
		sc.At = append(sc.At, m)
	}
	sc.Score = s.Score()
	return sc, nil
}

// car returns a car that has lived through the steps before the given one.
func (sc *Scene) car(step int) (*sim.Car, error) {
	car, err := sim.NewTaskCar(sc.Task, sc.Data)
	if err != nil {
		return nil, err
	}
	for i := range step {
		for _, call := range sc.Steps[i].Calls {
			car.Call(call.Tool, call.Args)
		}
	}
	return car, nil
}

// final is the state after all gold calls.
func (sc *Scene) final() vehicle.State { return sc.Gold[len(sc.Gold)-1] }

// onGold reports whether the state is one along the gold calls.
func (sc *Scene) onGold(s vehicle.State) bool {
	return slices.ContainsFunc(sc.Gold, func(g vehicle.State) bool { return same(g, s) })
}

// golden reports whether a signal has the value in any gold state.
func (sc *Scene) golden(signal int, v vehicle.Value) bool {
	return slices.ContainsFunc(sc.Gold, func(g vehicle.State) bool { return g[signal].Equal(v) })
}

func same(a, b vehicle.State) bool { return slices.EqualFunc(a, b, vehicle.Value.Equal) }

// changed returns the signals that differ.
func changed(a, b vehicle.State) []int {
	var out []int
	for i := range a {
		if !a[i].Equal(b[i]) {
			out = append(out, i)
		}
	}
	return out
}

// stretch is where the assistant next speaks, from a step on: that step, or
// the end of the conversation.
func (sc *Scene) stretch(step int) int {
	for i := step; i < len(sc.Steps); i++ {
		if sc.Steps[i].Speaks() {
			return i
		}
	}
	return len(sc.Steps)
}

// called reports whether the call was made before the step, with no argument
// that speaks against it.
func (sc *Scene) called(want *vehicle.Call, before int) bool {
	for i := range before {
		for j := range sc.Steps[i].Calls {
			if c := &sc.Steps[i].Calls[j]; c.Tool == want.Tool && agree(c.Args, want.Args) {
				return true
			}
		}
	}
	return false
}

// agree reports whether what both say is equal.
func agree(a, b vehicle.Value) bool {
	ok := true
	a.Walk(func(p vehicle.Path, leaf vehicle.Value) {
		got, has := b.Get(p)
		ok = ok && (!has || got.Equal(leaf))
	})
	return ok
}
