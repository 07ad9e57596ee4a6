// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"context"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// scene is the car, the student and the surroundings of a journalled
// conversation.
type scene struct {
	cat    *vehicle.Catalog
	turn   *harness.Turn
	state  vehicle.State // the car's, as far as the journal tells
	drafts []harness.Draft
	calls  []answered // of the turn, not asked for again yet
	known  []answered // of all turns before, oldest first
}

// answered is a call with what came of it.
type answered struct {
	key    string
	result vehicle.Result
}

// begin sets the scene for a turn.
func (s *scene) begin(t *harness.Turn) {
	s.known = append(s.known, s.calls...)
	s.turn, s.drafts, s.calls = t, nil, nil
	if t.Setting != nil {
		for name, v := range t.Setting.Live {
			if sig := s.cat.Profile.Signal(name); sig != nil {
				s.state[sig.ID] = v
			}
		}
	}
	for _, st := range t.Steps {
		if st.StudentDrafted() {
			s.drafts = append(s.drafts, st.Draft)
		}
		for i := range st.Released {
			if i < len(st.Results) {
				s.calls = append(s.calls, answered{st.Released[i].Canonical(), st.Results[i]})
			}
		}
	}
}

func (s *scene) context(name string) vehicle.Value {
	if s.turn == nil {
		return vehicle.Value{}
	}
	if s.turn.Setting != nil {
		if v, ok := s.turn.Setting.Context[name]; ok {
			return v
		}
	}
	at := s.turn.Started
	number := func(n int) vehicle.Value { return vehicle.NumberOf(float64(n)) }
	switch name {
	case "now.year":
		return number(at.Year())
	case "now.month":
		return number(int(at.Month()))
	case "now.day":
		return number(at.Day())
	case "now.weekday":
		return number((int(at.Weekday())+6)%7 + 1)
	case "now.hour":
		return number(at.Hour())
	case "now.minute":
		return number(at.Minute())
	case "language":
		return vehicle.TextOf(s.turn.Language)
	}
	return vehicle.Value{}
}

// Name implements harness.Student.
func (s *scene) Name() string { return "journal" }

// Draft implements harness.Student: what was drafted then, in its order; and
// when there is no more, the reply.
func (s *scene) Draft(context.Context, *harness.Prompt) (harness.Draft, error) {
	if len(s.drafts) > 0 {
		d := s.drafts[0]
		s.drafts = s.drafts[1:]
		return d, nil
	}
	return harness.Draft{Text: s.turn.Reply, Report: s.turn.Reply == ""}, nil
}

// Live implements harness.Car.
func (s *scene) Live(dst vehicle.State) {
	for i, sig := range s.cat.Profile.Signals {
		if sig.Status != nil {
			dst[i] = s.state[i]
		}
	}
}

// Stop implements harness.Car.
func (s *scene) Stop(context.Context) error { return nil }

// Do implements harness.Car.
func (s *scene) Do(_ context.Context, c vehicle.Call) vehicle.Result {
	t := s.cat.Tool(c.Tool)
	r, found := s.recorded(c.Canonical())
	switch {
	case found:
	case t == nil:
		r = vehicle.Result{Status: vehicle.Failed, Reason: "there is no such tool"}
	case t.Access == vehicle.Write:
		r = vehicle.Result{Status: vehicle.Done}
	default:
		r = s.read(t, &c)
	}
	r.CallID, r.Tool, r.At = c.ID, c.Tool, s.turn.Started
	if t != nil && t.Access == vehicle.Write && r.OK() {
		if as, err := t.Effects(c.Args, nil); err == nil {
			s.state.Apply(as)
		}
		if !found {
			r.Value = s.compose(t, &c)
		}
	}
	if t != nil && t.Access == vehicle.Read && r.OK() {
		for _, g := range t.Readings(s.cat.Profile, r.Value) {
			s.state[g.Signal] = g.Value
		}
	}
	return r
}

// recorded is what came of a call: in this turn, each once.
func (s *scene) recorded(key string) (vehicle.Result, bool) {
	for i, a := range s.calls {
		if a.key == key {
			s.calls = append(s.calls[:i:i], s.calls[i+1:]...)
			s.known = append(s.known, a)
			return a.result, true
		}
	}
	return vehicle.Result{}, false
}

// read is what a read tells that nobody made in this turn: the state, when all
// that it returns is known, else what it told before.
func (s *scene) read(t *vehicle.Tool, c *vehicle.Call) vehicle.Result {
	all := len(t.Returns) > 0
	for _, r := range t.Returns {
		all = all && s.state[r.Signal].Known()
	}
	if all {
		return vehicle.Result{Status: vehicle.Done, Value: s.compose(t, c)}
	}
	key := c.Canonical()
	for i := len(s.known) - 1; i >= 0; i-- {
		if s.known[i].key == key && s.known[i].result.OK() {
			return s.known[i].result
		}
	}
	return vehicle.Result{Status: vehicle.Failed, Reason: "the journal does not tell"}
}

func (s *scene) compose(t *vehicle.Tool, c *vehicle.Call) vehicle.Value {
	return t.Compose(s.cat.Profile, c.Args, func(sig *vehicle.Signal) vehicle.Value { return s.state[sig.ID] })
}
