// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
)

// Config is what a bench needs from outside.
type Config struct {
	Clock vehicle.Clock
	Buses []Bus
	// Topics connects the signals that are bound to MQTT; nil leaves them
	// unconnected.
	Topics Topics
	// Fast makes everything settle at once, and answers a command with its
	// status before the frame's Send returns, where the bus is synchronous.
	Fast bool
	// Adopt lets a status frame that somebody else sends change the simulated
	// car, so that a foreign tool on the bus can play its hand.
	Adopt bool
	// SetLink changes the link of a bus for everyone on it; nil: faults of
	// buses are refused.
	SetLink func(bus string, l canbus.Link)
}

// Bus is one CAN bus of the profile: the simulated car's own connection to it.
type Bus struct {
	Name string
	Bus  canbus.Bus
}

// Topics is the simulated car's connection to a broker: topics are those of
// the profile, below carguard/<vehicle>/. mqtt.Bindings is one.
type Topics interface {
	// SubscribeCommand calls h with each command on the topic, one at a time.
	SubscribeCommand(topic string, h func(at time.Time, payload []byte)) error
	// PublishStatus publishes a retained state.
	PublishStatus(ctx context.Context, topic string, payload []byte) error
}

// mqttName names the topics where a bus is named.
const mqttName = "mqtt"

// tick is how often movements are looked at while something moves.
const tick = 50 * time.Millisecond

// Bench is a simulated car on buses. Its methods may be called concurrently.
type Bench struct {
	Car *Car

	cfg   Config
	clock vehicle.Clock
	nodes []*node
	sent  atomic.Uint64
	lost  atomic.Uint64
	// publish is held while states are published, so that the last one
	// published of a topic is the present one.
	publish sync.Mutex

	mu      sync.Mutex // guards everything that follows
	plant   *plant
	faults  []Fault
	ctx     context.Context
	ticking vehicle.Timer // nil while nothing moves
	beats   []vehicle.Timer
	cancels []func()
	closed  bool
	running sync.WaitGroup
}

// NewBench puts the car behind the buses. It fails when a binding of the
// profile does not exist in the bus's database, or a bus that the profile
// binds to is not given.
func NewBench(c *Car, cfg Config) (*Bench, error) {
	b := &Bench{Car: c, cfg: cfg, clock: cfg.Clock, plant: newPlant(c, cfg.Fast)}
	var errs []error
	for _, bus := range cfg.Buses {
		n, err := newNode(b, bus)
		b.nodes, errs = append(b.nodes, n), append(errs, err)
	}
	for _, s := range c.Profile.Signals {
		for _, bind := range []*vehicle.Binding{s.Status, s.Command} {
			if bind != nil && bind.Bus != "" && b.node(bind.Bus) == nil {
				errs = append(errs, fmt.Errorf("%s: no bus %q", s.Name, bind.Bus))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("build simulated car: %w", err)
	}
	return b, nil
}

// Start begins to send status frames and to take commands, until Close or
// until ctx ends. The first status of everything is sent before it returns.
func (b *Bench) Start(ctx context.Context) error {
	b.mu.Lock()
	b.ctx = ctx
	b.mu.Unlock()
	for _, n := range b.nodes {
		cancel := n.bus.Subscribe(n.handle)
		b.mu.Lock()
		b.cancels = append(b.cancels, cancel)
		b.mu.Unlock()
		n.start()
	}
	if b.cfg.Topics != nil {
		if err := b.startTopics(); err != nil {
			return errors.Join(err, b.Close())
		}
	}
	return nil
}

// Close falls silent and waits for what Start began.
func (b *Bench) Close() error {
	b.mu.Lock()
	b.closed = true
	if b.ticking != nil {
		b.ticking.Stop()
	}
	for _, t := range b.beats {
		t.Stop()
	}
	for _, n := range b.nodes {
		n.stop()
	}
	cancels := b.cancels
	b.cancels = nil
	b.mu.Unlock()
	for _, c := range cancels {
		c()
	}
	b.running.Wait()
	return nil
}

// Sent returns how many status frames left, and how many the buses did not
// take.
func (b *Bench) Sent() (frames, lost uint64) { return b.sent.Load(), b.lost.Load() }

// enter begins an activity that Close waits for. It is not begun when the
// bench is closed.
func (b *Bench) enter() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.ctx == nil || b.ctx.Err() != nil {
		return false
	}
	b.running.Add(1)
	return true
}

// command is what a bus asks of a signal.
type command struct {
	signal *vehicle.Signal
	value  vehicle.Value
}

// take carries out commands and tells what they changed at once.
func (b *Bench) take(cmds []command) {
	if !b.enter() {
		return
	}
	defer b.running.Done()
	b.mu.Lock()
	for _, c := range cmds {
		b.plant.command(c.signal, c.value, b.clock.Mono())
	}
	changed := b.plant.take()
	b.arm()
	b.mu.Unlock()
	if b.cfg.Fast { // a command that changes nothing is answered too
		for _, c := range cmds {
			if !slices.Contains(changed, c.signal.ID) {
				changed = append(changed, c.signal.ID)
			}
		}
	}
	b.tell(changed)
}

// arm looks at movements again soon, if there are any. b.mu is held.
func (b *Bench) arm() {
	if b.ticking == nil && b.plant.moving() && !b.closed {
		b.ticking = b.clock.AfterFunc(tick, b.look)
	}
}

func (b *Bench) look() {
	if !b.enter() {
		return
	}
	defer b.running.Done()
	b.mu.Lock()
	b.ticking = nil
	b.plant.advance(b.clock.Mono())
	changed := b.plant.take()
	still := slices.DeleteFunc(slices.Clone(changed), func(id vehicle.SignalID) bool { return b.plant.moves[id] != nil })
	b.mu.Unlock()
	// What has arrived is told at once; positions on the way come with the cycle.
	b.tellFrames(still)
	b.tellTopics(changed)
	b.mu.Lock()
	b.arm()
	b.mu.Unlock()
}

// tell sends the status of signals at once.
func (b *Bench) tell(ids []vehicle.SignalID) {
	b.tellFrames(ids)
	b.tellTopics(ids)
}

func (b *Bench) tellFrames(ids []vehicle.SignalID) {
	for _, n := range b.nodes {
		n.tell(ids)
	}
}

// SetByHand gives a signal a value as the driver's hand does: at once, and
// ending a movement under way.
func (b *Bench) SetByHand(signal string, v vehicle.Value) error {
	if err := b.Car.Set(signal, v); err != nil {
		return err
	}
	id := b.Car.Profile.Signal(signal).ID
	b.mu.Lock()
	delete(b.plant.moves, id)
	b.mu.Unlock()
	if b.enter() {
		defer b.running.Done()
		b.tell([]vehicle.SignalID{id})
	}
	return nil
}

// SetState gives signals the values of a text; see [ParseState].
func (b *Bench) SetState(text string) error {
	l, err := ParseState(b.Car.Profile, text)
	if err != nil {
		return err
	}
	for _, s := range l {
		if s.Value.Kind() == vehicle.Unknown {
			if b.Car.setSignal(s.Signal.ID, s.Value) && b.enter() {
				b.tell([]vehicle.SignalID{s.Signal.ID})
				b.running.Done()
			}
			continue
		}
		if err := b.SetByHand(s.Signal.Name, s.Value); err != nil {
			return err
		}
	}
	return nil
}

// Moving reports whether a movement is under way.
func (b *Bench) Moving() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.plant.moving()
}

func (b *Bench) node(bus string) *node {
	for _, n := range b.nodes {
		if n != nil && n.name == bus {
			return n
		}
	}
	return nil
}

func (b *Bench) busNames() []string {
	var l []string
	for _, n := range b.nodes {
		l = append(l, n.name)
	}
	return l
}

// speaks reports whether the name is that of a status message, or of a node of
// the DBC that sends one.
func (b *Bench) speaks(name string) bool {
	return slices.ContainsFunc(b.nodes, func(n *node) bool {
		return slices.ContainsFunc(n.status, func(m *statusMessage) bool {
			return m.msg.Name == name || slices.Contains(m.msg.Transmitters, name)
		})
	})
}
