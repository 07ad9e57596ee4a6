// SPDX-License-Identifier: Apache-2.0

package system

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/systemd"
)

// Probes ask the loops that matter whether they turn: that of the turns, the
// reception of each bus, and the live state that both work on. A watchdog asks
// them about every five seconds. What is merely gone (a bus, a broker, a model)
// fails no probe: a restart would not bring it back.
func (s *System) Probes() []systemd.Probe {
	out := []systemd.Probe{
		{Name: "turns", Check: s.turnsMove},
		{Name: "state", Check: s.stateAnswers},
	}
	for _, name := range slices.Sorted(maps.Keys(s.pulses)) {
		out = append(out, systemd.Probe{Name: "bus " + name, Check: s.pulses[name].check})
	}
	return out
}

// SelfTest asks, before anything has run, what can be asked then.
func (s *System) SelfTest() error {
	if err := errors.Join(s.turnsMove(), s.stateAnswers()); err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	return nil
}

// turnTime is how long a turn may take between two signs of life, besides the
// time of the student and of the slowest effect.
const turnTime = 30 * time.Second

// turnsMove fails when a turn has shown no sign of life for longer than any
// turn does that works: twice the student's deadline, for one that another
// stands behind, and the longest settling time of the profile.
func (s *System) turnsMove() error {
	var settle time.Duration
	for _, sig := range s.Profile.Signals {
		settle = max(settle, sig.Settle)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.o.Clock.Mono()
	for name, c := range s.sessions {
		draft := c.of.Harness.Deadline
		if draft == 0 {
			draft = time.Minute
		}
		if still := now - c.moved; c.running > 0 && still > 2*draft+settle+turnTime {
			return fmt.Errorf("a turn of session %s has not moved for %v", name, still.Round(time.Second))
		}
	}
	return nil
}

// stateAnswers goes through every lock between a frame and an answer.
func (s *System) stateAnswers() error {
	s.Live.Snapshot(nil)
	s.Boundary.Epoch()
	s.Checks()
	return nil
}

// pulse notices a delivery that does not end.
type pulse struct {
	handlers []*handling // complete before the first check
}

// handling counts the beginnings and ends of one handler: it is odd while the
// handler runs.
type handling struct {
	count atomic.Uint64
	seen  uint64 // odd count of the check before; 0: none
}

// check fails when a handler has been in the same call since the check before.
func (p *pulse) check() error {
	for _, h := range p.handlers {
		now := h.count.Load()
		if now%2 == 1 && now == h.seen {
			return errors.New("a received frame has been in work since the last time this was asked")
		}
		h.seen = now * (now % 2)
	}
	return nil
}

// watchedBus is a bus whose deliveries have a pulse.
type watchedBus struct {
	canbus.Bus
	pulse *pulse
}

// Subscribe counts when h begins and ends.
func (b watchedBus) Subscribe(h func(canbus.Event)) (cancel func()) {
	n := &handling{}
	b.pulse.handlers = append(b.pulse.handlers, n)
	return b.Bus.Subscribe(func(e canbus.Event) {
		n.count.Add(1)
		h(e)
		n.count.Add(1)
	})
}

// watch gives every bus a pulse. It is called before anybody subscribes.
func (s *System) watch() {
	s.pulses = map[string]*pulse{}
	s.buses = map[string]canbus.Bus{}
	for name, b := range s.o.Buses {
		s.pulses[name] = &pulse{}
		s.buses[name] = watchedBus{b, s.pulses[name]}
	}
}
