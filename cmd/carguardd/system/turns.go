// SPDX-License-Identifier: Apache-2.0

package system

import (
	"context"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/systemd"
	"github.com/carguardd/carguardd/vehicle"
)

var _ api.Daemon = (*System)(nil)

// Turn runs one utterance of a conversation.
func (s *System) Turn(ctx context.Context, session, text string) (*harness.Turn, error) {
	c, leave, err := s.enter(ctx, session)
	if err != nil {
		return nil, err
	}
	defer leave()
	before := s.failures.Load()
	t := c.Turn(s.Executor.Begin(ctx, nil), text)
	s.mu.Lock()
	s.turns[string(t.Outcome)]++
	s.sessions[session].asked = t.Outcome == harness.Asked
	s.mu.Unlock()
	if s.o.Ended != nil {
		s.o.Ended(s.failures.Load() > before || t.RuleFailed())
	}
	return t, nil
}

// Student is the name of the student that answers at present.
func (s *System) Student() string { return s.settings.Load().Student.Name() }

// Stop ends every movement and what every running turn still has to do.
func (s *System) Stop(ctx context.Context) error {
	_, err := s.Executor.Halt(ctx)
	s.abort()
	return err
}

// abort ends what every running turn still has to do.
func (s *System) abort() {
	s.mu.Lock()
	sessions := make([]*harness.Session, 0, len(s.sessions))
	for _, c := range s.sessions {
		sessions = append(sessions, c.session)
	}
	s.mu.Unlock()
	for _, c := range sessions {
		c.Abort()
	}
}

// State returns every signal as it is observed now.
func (s *System) State() []api.Signal {
	out := make([]api.Signal, len(s.Profile.Signals))
	for i, sig := range s.Profile.Signals {
		o := s.Live.Get(sig.ID)
		out[i] = api.Signal{Name: sig.Name, VSS: sig.VSS, Value: o.Value, Unit: sig.Unit, Quality: quality(o)}
		if o.Count > 0 {
			at := o.At
			out[i].At = &at
		}
	}
	return out
}

func quality(o vehicle.Observation) string {
	switch {
	case o.Count == 0 || !o.Value.Known():
		return "unknown"
	case !o.Fresh:
		return "stale"
	}
	return "ok"
}

// progress passes on what a turn does as it does it, and logs what the
// harness held back or added. What was said is never part of it.
func (s *System) progress(what any) {
	switch d := what.(type) {
	case *harness.Check:
		s.logOwed(d)
		s.events.publish(api.Event{Kind: "check", Data: d})
	case *vehicle.Result:
		s.events.publish(api.Event{Kind: "result", Data: d})
	case *harness.Turn:
		for _, h := range d.Withheld {
			s.o.Log.Info().Str(systemd.EventField, systemd.EventRefused).Str("turn", d.ID).Str("gate", h.Gate).Str("rule", h.Rule).
				Str("tool", h.Call.Tool).Msg("a call was withheld")
		}
		s.events.publish(api.Event{Kind: "turn", Data: d})
	}
}

// logOwed logs the calls that rules demanded beyond what was drafted.
func (s *System) logOwed(c *harness.Check) {
	for _, f := range c.Findings {
		for _, owed := range f.Remedy.Add {
			if f.Rule != "" && f.Action == harness.Repair {
				s.o.Log.Info().Str(systemd.EventField, systemd.EventObligation).Str("rule", f.Rule).Str("gate", f.Gate).
					Str("tool", owed.Call.Tool).Msg("a rule demanded a call")
			}
		}
	}
}

// Subscribe returns events from now on.
func (s *System) Subscribe() (<-chan api.Event, func()) { return s.events.subscribe() }
