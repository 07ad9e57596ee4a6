// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// How long things take, as shares of the time a signal has to settle, so that
// a car without faults is always in time.
const (
	travelShare = 0.6 // a movement over the whole range
	jumpShare   = 0.1 // anything else, but no longer than jumpMost
	jumpMost    = 300 * time.Millisecond
	settleTime  = 5 * time.Second // of a signal that does not say
)

// plant is the machinery behind the ECUs: what has been asked of each signal
// and how far it has come. Whoever uses it holds the bench's lock.
type plant struct {
	car     *Car
	fast    bool
	faults  map[vehicle.SignalID]Fault // those that change how a signal moves
	moves   map[vehicle.SignalID]*move
	clear   map[vehicle.SignalID]vehicle.Value // what obstruction signals said before
	changed []vehicle.SignalID                 // since taken last
}

func newPlant(c *Car, fast bool) *plant {
	return &plant{car: c, fast: fast, faults: map[vehicle.SignalID]Fault{}, moves: map[vehicle.SignalID]*move{},
		clear: map[vehicle.SignalID]vehicle.Value{}}
}

// move is one signal under way.
type move struct {
	target   vehicle.Value
	travel   bool    // through every position between
	from, to float64 // of a travel, in the signal's unit
	rate     float64 // units a second
	begun    time.Duration
	jumpAt   time.Duration // of everything else
}

// command asks for a value. An ECU ignores what its signal cannot have.
func (p *plant) command(s *vehicle.Signal, v vehicle.Value, now time.Duration) {
	f := p.faults[s.ID]
	if f.Kind == FaultRefused {
		p.obstruct(s)
		return
	}
	if m := s.Motion; m != nil && m.Stop.Known() && v.Equal(m.Stop) {
		p.advance(now)
		delete(p.moves, s.ID)
		return
	}
	if s.Check(v) != nil {
		return
	}
	if m := p.moves[s.ID]; m != nil && m.target.Equal(v) {
		return // asked already
	}
	p.advance(now)
	delete(p.moves, s.ID)
	p.unobstruct(s)
	is := p.car.signal(s.ID)
	if is.Equal(v) {
		return
	}
	start := now
	if f.Kind == FaultDelayed {
		start += f.For
	}
	m := &move{target: v, begun: start}
	from, ok1 := is.Float()
	to, ok2 := v.Float()
	settle := s.Settle
	if settle <= 0 {
		settle = settleTime
	}
	if s.Motion != nil && ok1 && ok2 && s.HasRange() {
		m.travel, m.from, m.to = true, from, to
		m.rate = (s.Max - s.Min) / (travelShare * settle.Seconds())
	} else {
		delay := time.Duration(jumpShare * float64(settle))
		if s.Motion == nil {
			delay = min(delay, jumpMost)
		}
		m.jumpAt = start + delay
	}
	if p.fast && f.Kind != FaultDelayed {
		m.rate, m.jumpAt = math.Inf(1), now
	}
	p.moves[s.ID] = m
	p.advance(now)
}

// advance brings everything under way to where it is now.
func (p *plant) advance(now time.Duration) {
	for _, s := range p.car.Profile.Signals { // in order, so that runs repeat
		if m := p.moves[s.ID]; m != nil && now >= m.begun {
			p.step(s, m, now)
		}
	}
}

func (p *plant) step(s *vehicle.Signal, m *move, now time.Duration) {
	if !m.travel {
		if now >= m.jumpAt {
			delete(p.moves, s.ID)
			if p.faults[s.ID].Kind == FaultBlocked {
				p.obstruct(s)
				return
			}
			p.put(s, m.target)
		}
		return
	}
	way := math.Abs(m.to - m.from)
	gone := way
	if !math.IsInf(m.rate, 1) {
		gone = m.rate * (now - m.begun).Seconds()
	}
	at, done := m.from+math.Copysign(min(gone, way), m.to-m.from), gone >= way
	switch f := p.faults[s.ID]; {
	case f.Kind == FaultBlocked && reaches(m.from, at, f.At):
		at, done = f.At, true
		p.obstruct(s)
	case f.Kind == FaultReversed && m.to < m.from && reaches(m.from, at, f.At):
		// Something is in the way of closing: open again, all the way.
		p.obstruct(s)
		m.begun += time.Duration((m.from - f.At) / m.rate * float64(time.Second))
		m.from, m.to, m.target = f.At, s.Max, vehicle.NumberOf(s.Max)
		p.put(s, vehicle.NumberOf(f.At))
		p.step(s, m, now)
		return
	}
	if done {
		delete(p.moves, s.ID)
		p.put(s, vehicle.NumberOf(at))
		return
	}
	p.put(s, vehicle.NumberOf(onStep(s, at)))
}

// reaches reports whether the way from one position to another comes to p.
func reaches(from, to, p float64) bool { return min(from, to) <= p && p <= max(from, to) }

// onStep is the nearest position that the signal can show.
func onStep(s *vehicle.Signal, f float64) float64 {
	step := s.Step
	if step <= 0 {
		step = 0.1
		if s.Type == vehicle.TypeInteger {
			step = 1
		}
	}
	return s.Min + math.Round((f-s.Min)/step)*step
}

func (p *plant) put(s *vehicle.Signal, v vehicle.Value) {
	if p.car.setSignal(s.ID, v) {
		p.changed = append(p.changed, s.ID)
	}
}

// obstruct makes the signals that tell of an obstruction tell it.
func (p *plant) obstruct(s *vehicle.Signal) {
	for _, n := range s.Blocked {
		if len(n.Is) == 0 || p.car.signal(n.Signal).Equal(n.Is[0]) {
			continue
		}
		p.clear[n.Signal] = p.car.signal(n.Signal)
		p.put(p.car.Profile.Signals[n.Signal], n.Is[0])
	}
}

// unobstruct makes them tell again what they told before.
func (p *plant) unobstruct(s *vehicle.Signal) {
	for _, n := range s.Blocked {
		if v, ok := p.clear[n.Signal]; ok {
			delete(p.clear, n.Signal)
			p.put(p.car.Profile.Signals[n.Signal], v)
		}
	}
}

// moving reports whether anything is under way.
func (p *plant) moving() bool { return len(p.moves) > 0 }

// take returns the signals that changed since it was called last.
func (p *plant) take() []vehicle.SignalID {
	l := p.changed
	p.changed = nil
	return l
}

// signal returns a signal's value by id.
func (c *Car) signal(id vehicle.SignalID) vehicle.Value {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state[id]
}

// setSignal sets a signal by id and reports whether that changed it.
func (c *Car) setSignal(id vehicle.SignalID, v vehicle.Value) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state[id].Equal(v) {
		return false
	}
	c.state[id] = v
	return true
}
