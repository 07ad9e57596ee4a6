// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
)

const (
	// defaultCycle is the cycle of a status message whose DBC gives none.
	defaultCycle = 100 * time.Millisecond
	// stagger keeps status messages of one cycle apart.
	stagger = 7 * time.Millisecond
)

// node is all the ECUs on one bus: it sends the status messages of the
// profile and takes its commands.
type node struct {
	bench    *Bench
	name     string
	bus      canbus.Bus
	status   []*statusMessage
	commands map[canbus.Key]*boundMessage
}

// boundMessage is a message with the signals of the profile that it carries.
type boundMessage struct {
	msg   *dbc.Message
	wires []*vehicle.Wire
	check protection
}

// statusMessage is a status message with its cycle. A multiplexed one has a
// frame for each choice of its switches.
type statusMessage struct {
	boundMessage
	cycle  time.Duration
	frames []statusFrame
	timer  vehicle.Timer // guarded by the bench
}

type statusFrame struct {
	choice []dbc.Setting // of the switches
	wires  []*vehicle.Wire
}

func newNode(b *Bench, bus Bus) (*node, error) {
	n := &node{bench: b, name: bus.Name, bus: bus.Bus, commands: map[canbus.Key]*boundMessage{}}
	byKey, db := map[canbus.Key]*statusMessage{}, b.Car.Profile.Databases()[bus.Name]
	var errs []error
	for _, s := range b.Car.Profile.Signals {
		if s.Status != nil && s.Status.Bus == bus.Name {
			w, err := vehicle.NewWire(s, s.Status, db)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			m := byKey[w.Key()]
			if m == nil {
				m = &statusMessage{boundMessage: newBoundMessage(b.Car.Profile, bus.Name, w), cycle: w.Cycle()}
				if m.cycle <= 0 {
					m.cycle = defaultCycle
				}
				byKey[w.Key()] = m
				n.status = append(n.status, m)
			}
			m.add(w)
		}
		if s.Command != nil && s.Command.Bus == bus.Name {
			w, err := vehicle.NewWire(s, s.Command, db)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			m := n.commands[w.Key()]
			if m == nil {
				bound := newBoundMessage(b.Car.Profile, bus.Name, w)
				m = &bound
				n.commands[w.Key()] = m
			}
			m.wires = append(m.wires, w)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("bus %s: %w", bus.Name, err)
	}
	return n, nil
}

func (m *statusMessage) add(w *vehicle.Wire) {
	m.wires = append(m.wires, w)
	choice := w.Select()
	for i := range m.frames {
		if slices.Equal(m.frames[i].choice, choice) {
			m.frames[i].wires = append(m.frames[i].wires, w)
			return
		}
	}
	m.frames = append(m.frames, statusFrame{choice, []*vehicle.Wire{w}})
}

// start sends every status once and begins the cycles.
func (n *node) start() {
	b := n.bench
	for i, m := range n.status {
		n.send(m)
		b.mu.Lock()
		m.timer = b.clock.AfterFunc(m.cycle+time.Duration(i)*stagger%m.cycle, func() { n.beat(m) })
		b.mu.Unlock()
	}
}

// stop ends the cycles. The bench's lock is held.
func (n *node) stop() {
	for _, m := range n.status {
		if m.timer != nil {
			m.timer.Stop()
		}
	}
}

// beat is one cycle of a message.
func (n *node) beat(m *statusMessage) {
	b := n.bench
	if !b.enter() {
		return
	}
	defer b.running.Done()
	b.mu.Lock()
	b.plant.advance(b.clock.Mono())
	b.mu.Unlock()
	n.send(m)
	b.mu.Lock()
	if !b.closed {
		m.timer = b.clock.AfterFunc(m.cycle, func() { n.beat(m) })
	}
	b.mu.Unlock()
}

// tell sends at once the messages that carry one of the signals.
func (n *node) tell(ids []vehicle.SignalID) {
	for _, m := range n.status {
		if slices.ContainsFunc(m.wires, func(w *vehicle.Wire) bool { return slices.Contains(ids, w.Signal.ID) }) {
			n.send(m)
		}
	}
}

// send sends the frames of a message. What a bus does not take is lost, as on
// a real one.
func (n *node) send(m *statusMessage) {
	b := n.bench
	if _, silent := b.fault(FaultSilent, append([]string{n.name, m.msg.Name}, m.msg.Transmitters...)...); silent {
		return
	}
	for _, w := range m.wires {
		if _, stale := b.fault(FaultStale, w.Signal.Name); stale {
			return
		}
	}
	for i := range m.frames {
		f, err := n.encode(m, &m.frames[i])
		if err == nil {
			err = n.bus.Send(b.ctx, m.check.protect(f))
		}
		if err != nil {
			b.lost.Add(1)
			continue
		}
		b.sent.Add(1)
	}
}

// encode puts the status into a frame. A signal that has no value says so, where
// the database has a word for it; it, and one whose value the frame cannot
// say, is else left at its start value.
func (n *node) encode(m *statusMessage, sf *statusFrame) (canbus.Frame, error) {
	base, _ := m.msg.Defaults()
	settings := slices.Clone(sf.choice)
	for _, w := range sf.wires {
		v := n.bench.told(w.Signal)
		set, err := w.Setting(v)
		if raw, ok := w.DBC.Values.Invalid(); ok && !v.Known() {
			set, err = dbc.SetRaw(w.DBC.Name, uint64(raw)&(1<<w.DBC.Length-1)), nil
		}
		if err != nil || slices.ContainsFunc(settings, func(o dbc.Setting) bool { return o.Signal == set.Signal }) {
			continue
		}
		if _, err := m.msg.Encode(base, append(slices.Clone(sf.choice), set)...); err != nil && len(sf.choice) == 0 {
			continue
		}
		settings = append(settings, set)
	}
	return m.msg.Encode(base, settings...)
}

// handle takes in one event of the bus.
func (n *node) handle(e canbus.Event) {
	if e.Kind != canbus.FrameEvent {
		return
	}
	if m := n.commands[e.Frame.Key()]; m != nil && m.check.believe(e.Frame) {
		if cmds := m.read(e.Frame); len(cmds) > 0 {
			n.bench.take(cmds)
		}
	}
	if !n.bench.cfg.Adopt {
		return
	}
	for _, m := range n.status {
		if m.msg.Key == e.Frame.Key() && m.check.believe(e.Frame) {
			n.bench.adopt(m.read(e.Frame))
		}
	}
}

// adopt makes true what somebody else says about the car.
func (b *Bench) adopt(said []command) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range said {
		if c.signal.Check(c.value) == nil && b.Car.setSignal(c.signal.ID, c.value) {
			delete(b.plant.moves, c.signal.ID)
		}
	}
}

// read returns what a frame says about the signals it carries; what it leaves
// open is not among it.
func (m *boundMessage) read(f canbus.Frame) []command {
	values, err := m.msg.Decode(f, nil)
	if err != nil {
		return nil
	}
	var out []command
	for _, v := range values {
		for _, w := range m.wires {
			if w.DBC != v.Signal || w.IsIdle(v) {
				continue
			}
			if x := w.Value(v); x.Known() {
				out = append(out, command{w.Signal, x})
			}
		}
	}
	return out
}
