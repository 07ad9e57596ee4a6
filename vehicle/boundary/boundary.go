// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
)

// The words of the boundary are those of package vehicle.
type (
	Command = vehicle.Command
	Sent    = vehicle.Sent
	Refusal = vehicle.Refusal
)

// Bus is what the boundary needs of a CAN bus.
type Bus interface {
	// Send gives one frame to the bus before the deadline of ctx or fails; it
	// never sends it later.
	Send(ctx context.Context, f canbus.Frame) error
	// Subscribe calls h for what other nodes send until cancel is called.
	Subscribe(h func(canbus.Event)) (cancel func())
	// Link returns the present state.
	Link() canbus.Link
}

// Publisher is what the boundary needs of an MQTT client.
type Publisher interface {
	// Publish gives one message, not retained, to the broker before the
	// deadline of ctx or fails; it never sends it later. The topic is below
	// carguard/<vehicle>/. An error that wraps [ErrNotSent] says that nothing
	// left.
	Publish(ctx context.Context, topic string, payload []byte) error
	// Connected reports whether a broker takes messages now.
	Connected() bool
}

// ErrNotSent marks errors of a [Publisher] or [Plant] after which it is certain
// that nothing left.
var ErrNotSent = errors.New("nothing was sent")

// Plant is a car without buses: a simulation in the same process takes the
// commands as they are. It has no bus load; all other gates stand.
type Plant interface {
	// Apply begins to bring the signal to the value, or fails.
	Apply(ctx context.Context, id vehicle.SignalID, v vehicle.Value) error
}

// Config says what a boundary stands between.
type Config struct {
	Live  *vehicle.Live
	Clock vehicle.Clock

	Buses map[string]Bus // by the profile's names
	MQTT  Publisher      // nil: no topic can be written
	Plant Plant          // instead of Buses and MQTT

	// Quiet sends nothing unasked: a message that the DBC calls cyclic is sent in
	// its cycle only while a command is held. For programs that come and go.
	Quiet bool

	// Refused, if set, is called for every command that was refused, to log
	// it. It must not call the boundary.
	Refused func(Command, *Refusal)
}

// Limits of time. A stop has to be out within stopTime whatever else goes on,
// so a write under way must not hold a bus for long.
const (
	writeTime = 40 * time.Millisecond  // one frame, until the controller has it
	topicTime = 2 * time.Second        // one message, until the broker has it
	stopTime  = 100 * time.Millisecond // all of a stop
)

// Boundary is the one writer of a car. Its methods may be called
// concurrently.
type Boundary struct {
	cfg     Config
	profile *vehicle.Profile
	dbc     map[string]*dbc.Database // by bus
	routes  []*route                 // by signal; nil: no command binding
	allowed map[busKey]*message
	ports   map[string]*port
	cancel  []func()
	count   counters

	messages []*message     // of allowed, in the profile's order
	running  sync.WaitGroup // beats

	mu        sync.Mutex // guards everything that follows; held for moments
	closed    bool
	epoch     uint64
	epochCtx  context.Context // ends with the epoch
	endEpoch  context.CancelFunc
	flights   map[vehicle.SignalID]*flight
	rates     map[vehicle.SignalID][]*bucket
	received  map[busKey]received
	frameCall uint64
	eased     chan struct{} // closed when a hold ends

	released, dropped, skipped uint64
}

var (
	_ vehicle.Writer    = (*Boundary)(nil)
	_ vehicle.Contester = (*Boundary)(nil)
)

type busKey struct {
	bus string
	key canbus.Key
}

// received is the latest frame of an allowed identifier from another node.
type received struct {
	frame canbus.Frame
	mono  time.Duration
	lost  bool // the bus was lost since
}

// port is one bus as the boundary writes to it.
type port struct {
	name string
	can  Bus           // nil: MQTT or the plant
	free chan struct{} // holds one element while nobody sends
	load *bucket       // guarded by Boundary.mu
}

// time is how long one write may take.
func (p *port) time() time.Duration {
	if p.can != nil {
		return writeTime
	}
	return topicTime
}

// New builds the allow-list. It fails when a binding cannot be carried out:
// its bus, message or signal does not exist, or the message is protected.
func New(cfg Config) (*Boundary, error) {
	if cfg.Live == nil || cfg.Clock == nil {
		return nil, errors.New("boundary needs a live state and a clock")
	}
	p := cfg.Live.Profile()
	b := &Boundary{cfg: cfg, profile: p, dbc: p.Databases(), allowed: map[busKey]*message{}, ports: map[string]*port{},
		epoch: 1, flights: map[vehicle.SignalID]*flight{}, received: map[busKey]received{}, eased: make(chan struct{})}
	b.epochCtx, b.endEpoch = context.WithCancel(context.Background())
	if err := b.route(); err != nil {
		return nil, fmt.Errorf("build boundary of profile %s: %w", b.profile.Name, err)
	}
	b.limit()
	for _, p := range b.ports {
		if p.can != nil {
			b.cancel = append(b.cancel, p.can.Subscribe(func(e canbus.Event) { b.receive(p, e) }))
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		if m.cycle.always {
			b.wake(m, m.cycle.slow)
		}
	}
	return b, nil
}

// Close ends the boundary: every movement under way is given up and every
// further command refused; only a stop still works. What may still be latched in
// a receiver is released as [Boundary.Release] does it. It does not close the
// buses.
func (b *Boundary) Close() {
	for _, cancel := range b.cancel {
		cancel()
	}
	b.mu.Lock()
	b.closed = true
	b.endEpoch()
	for _, m := range b.messages {
		if m.timer != nil {
			m.timer.Stop()
		}
	}
	b.mu.Unlock()
	b.running.Wait()
	_ = b.Release(context.Background()) // counted as failed; whoever wants to know calls it before
}

// Epoch returns the present epoch and a channel that is closed when it ends.
func (b *Boundary) Epoch() (uint64, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.epoch, b.epochCtx.Done()
}

// receive remembers frames of other nodes under identifiers that may be
// written, and forgets what would be said again when the bus is lost.
func (b *Boundary) receive(p *port, e canbus.Event) {
	if e.Kind != canbus.FrameEvent {
		if !e.Link.State.CanSend() {
			b.lose(p)
		}
		return
	}
	k := busKey{p.name, e.Frame.Key()}
	m, ok := b.allowed[k]
	if !ok || !m.believes(e.Frame) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.received[k] = received{frame: e.Frame, mono: b.cfg.Clock.Mono()}
}
