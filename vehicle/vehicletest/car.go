// SPDX-License-Identifier: Apache-2.0

package vehicletest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
)

// Script says how the car answers the commands of one signal. The zero value
// does what it is told.
type Script struct {
	Ignore    bool     // nothing happens
	Silent    bool     // it does what it is told, and its status message stays away from then on
	BlockAt   *float64 // a movement stops here
	ReverseAt *float64 // a movement turns here and runs back to where it began
	// Says is set as the value of other signals when a command is ignored or a
	// movement stops short: how a control unit says that it refuses.
	Says map[string]vehicle.Value
}

// Car is a node on a CAN bus that answers commands by script: it sends the
// status messages of the profile every Cycle, moves what moves by Speed each
// time, and sets everything else at once.
type Car struct {
	Cycle time.Duration
	Speed float64 // in the signal's unit for each cycle

	profile *vehicle.Profile
	clock   vehicle.Clock
	bus     canbus.Bus
	name    string
	status  map[*dbc.Message][]*vehicle.Wire
	order   []*dbc.Message
	command map[canbus.Key][]*vehicle.Wire

	mu     sync.Mutex // guards everything that follows
	value  map[vehicle.SignalID]vehicle.Value
	target map[vehicle.SignalID]vehicle.Value
	begun  map[vehicle.SignalID]vehicle.Value // where a movement began
	script map[vehicle.SignalID]Script
	muted  map[*dbc.Message]bool
	got    []canbus.Frame
	timer  vehicle.Timer
	closed bool
}

// NewCar puts a car on the named bus of the profile. It is silent until Start.
func NewCar(p *vehicle.Profile, c vehicle.Clock, name string, bus canbus.Bus) *Car {
	car := &Car{Cycle: 100 * time.Millisecond, Speed: 5, profile: p, clock: c, bus: bus, name: name,
		status: map[*dbc.Message][]*vehicle.Wire{}, command: map[canbus.Key][]*vehicle.Wire{},
		value: map[vehicle.SignalID]vehicle.Value{}, target: map[vehicle.SignalID]vehicle.Value{},
		begun: map[vehicle.SignalID]vehicle.Value{}, script: map[vehicle.SignalID]Script{}, muted: map[*dbc.Message]bool{}}
	db := p.Databases()[name]
	for _, s := range p.Signals {
		if s.Status != nil && s.Status.Bus == name {
			w := mustWire(s, s.Status, db)
			if car.status[w.Message()] == nil {
				car.order = append(car.order, w.Message())
			}
			car.status[w.Message()] = append(car.status[w.Message()], w)
		}
		if s.Command != nil && s.Command.Bus == name {
			w := mustWire(s, s.Command, db)
			car.command[w.Key()] = append(car.command[w.Key()], w)
		}
	}
	bus.Subscribe(car.receive)
	return car
}

func mustWire(s *vehicle.Signal, b *vehicle.Binding, db *dbc.Database) *vehicle.Wire {
	w, err := vehicle.NewWire(s, b, db)
	if err != nil {
		panic(err)
	}
	return w
}

// Set gives a signal a value, as a hand or the road does.
func (c *Car) Set(name string, v vehicle.Value) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := c.profile.Signal(name).ID
	c.value[id] = v
	delete(c.target, id)
}

// Get returns the value that a signal really has.
func (c *Car) Get(name string) vehicle.Value {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.value[c.profile.Signal(name).ID]
}

// Script sets how the signal's commands are answered from now on.
func (c *Car) Script(name string, s Script) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.script[c.profile.Signal(name).ID] = s
}

// Mute keeps the status message of a signal from being sent, or sends it
// again.
func (c *Car) Mute(name string, muted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.muted[c.messageOf(c.profile.Signal(name).ID)] = muted
}

// Received returns the frames that others sent so far.
func (c *Car) Received() []canbus.Frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.got)
}

// Start sends every status message now and each Cycle from now on.
func (c *Car) Start() { c.tick() }

// Close stops sending.
func (c *Car) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.timer != nil {
		c.timer.Stop()
	}
}

func (c *Car) tick() {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return
	}
	for id := range c.target {
		c.move(id)
	}
	frames := c.frames()
	c.timer = c.clock.AfterFunc(c.Cycle, c.tick)
	c.mu.Unlock()
	for _, f := range frames {
		_ = c.bus.Send(context.Background(), f) // a bus that is down is part of the test
	}
}

// frames encodes every status message whose signals all have a value. c.mu is
// held.
func (c *Car) frames() []canbus.Frame {
	var out []canbus.Frame
	for _, m := range c.order {
		if c.muted[m] {
			continue
		}
		var settings []dbc.Setting
		for _, w := range c.status[m] {
			if v, ok := c.value[w.Signal.ID]; ok {
				set, err := w.Setting(v)
				if err != nil {
					panic(err)
				}
				settings = append(settings, set)
			}
		}
		if len(settings) < len(c.status[m]) {
			continue
		}
		f, err := m.Encode(m.Blank(), settings...)
		if err != nil {
			panic(err)
		}
		out = append(out, f)
	}
	return out
}

// receive takes a command frame.
func (c *Car) receive(e canbus.Event) {
	if e.Kind != canbus.FrameEvent {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.got = append(c.got, e.Frame)
	ws := c.command[e.Frame.Key()]
	if len(ws) == 0 {
		return
	}
	values, err := ws[0].Message().Decode(e.Frame, nil)
	if err != nil {
		return
	}
	for _, w := range ws {
		for _, v := range values {
			if v.Signal == w.DBC && !w.IsIdle(v) {
				c.obey(w.Signal, w.Value(v))
			}
		}
	}
}

// obey begins what a command asks for. c.mu is held.
func (c *Car) obey(s *vehicle.Signal, v vehicle.Value) {
	sc := c.script[s.ID]
	if sc.Silent {
		c.muted[c.messageOf(s.ID)] = true
	}
	if sc.Ignore {
		c.say(sc)
		return
	}
	if now, ok := c.value[s.ID]; ok && now.Equal(v) && c.target[s.ID].Kind() == vehicle.Unknown {
		return
	}
	c.begun[s.ID] = c.value[s.ID]
	c.target[s.ID] = v
}

func (c *Car) say(sc Script) {
	for name, v := range sc.Says {
		c.value[c.profile.Signal(name).ID] = v
	}
}

func (c *Car) messageOf(id vehicle.SignalID) *dbc.Message {
	for m, ws := range c.status {
		for _, w := range ws {
			if w.Signal.ID == id {
				return m
			}
		}
	}
	return nil
}

// move brings a signal one cycle nearer to its target. c.mu is held.
func (c *Car) move(id vehicle.SignalID) {
	s, sc := c.profile.Signals[id], c.script[id]
	now, ok1 := c.value[id].Float()
	to, ok2 := c.target[id].Float()
	if s.Motion == nil || !ok1 || !ok2 {
		c.value[id] = c.target[id]
		delete(c.target, id)
		return
	}
	next := min(max(to, now-c.Speed), now+c.Speed)
	passes := func(at *float64) bool {
		return at != nil && (now-*at)*(next-*at) <= 0 && now != next
	}
	switch {
	case passes(sc.ReverseAt):
		next = *sc.ReverseAt
		c.target[id] = c.begun[id]
		c.script[id] = Script{}
	case passes(sc.BlockAt):
		next = *sc.BlockAt
		delete(c.target, id)
		c.say(sc)
	case next == to:
		delete(c.target, id)
	}
	c.value[id] = vehicle.NumberOf(next)
}
