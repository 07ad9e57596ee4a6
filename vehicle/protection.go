// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"sync"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/canbus/e2e"
)

// Protection says how one CAN message is protected end to end. Whoever sends the
// message writes counter and checksum, whoever receives it checks them.
type Protection struct {
	Message   *dbc.Message
	Name      string        // of the algorithm
	Algorithm e2e.Algorithm // nil: nobody knows it, so the message is neither sent nor believed
	Limits    e2e.Limits    // of a receiver
	Pos       Pos
}

// Protection returns how the message is protected, or nil.
func (p *Profile) Protection(bus string, key canbus.Key) *Protection {
	for _, b := range p.Buses {
		if b.Name == bus {
			return protectionOf(b.Protected, key)
		}
	}
	return nil
}

func protectionOf(list []*Protection, key canbus.Key) *Protection {
	for _, p := range list {
		if p.Message.Key == key {
			return p
		}
	}
	return nil
}

// guard is the receiver of one protected message.
type guard struct {
	protection *Protection
	fresh      time.Duration // after so long a silence the counters say nothing

	mu       sync.Mutex // guards what follows
	receiver *e2e.Receiver
	last     time.Duration // monotonic, of the last frame
	data     canbus.Data   // of the frame being judged; here, so that none is allocated
}

// newGuard returns nil for a message that nobody knows how to check.
func newGuard(p *Protection, w *Wire) *guard {
	if p.Algorithm == nil {
		return nil
	}
	return &guard{protection: p, fresh: FreshAfter(w.Cycle()), receiver: e2e.NewReceiver(p.Algorithm, p.Limits)}
}

// believe judges a frame of the message.
func (g *guard) believe(f canbus.Frame, now time.Duration) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now-g.last > g.fresh {
		g.receiver.Silence()
	}
	g.last = now
	if f.IsRemote || int(f.Length) != g.protection.Message.Length {
		g.receiver.Reject()
		return false
	}
	g.data = f.Data
	g.receiver.Check(g.data[:f.Length])
	return g.receiver.Trusted()
}

func (g *guard) silence() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.receiver.Silence()
}

// ProtectionState is what is known about the reception of one protected message.
type ProtectionState struct {
	Bus       string     `json:"bus"`
	Message   string     `json:"message"`
	Algorithm string     `json:"algorithm"`
	State     e2e.State  `json:"state"` // of the last frame; no new data when that is too long ago
	Frames    e2e.Counts `json:"frames"`
}

// Protection returns what is known about the protected messages of the bus, in
// the profile's order of signals.
func (l *CANLink) Protection() []ProtectionState {
	out := make([]ProtectionState, 0, len(l.guards))
	now := l.live.clock.Mono()
	for _, g := range l.guards {
		g.mu.Lock()
		s := ProtectionState{l.bus, g.protection.Message.Name, g.protection.Name, g.receiver.State(), g.receiver.Counts()}
		if now-g.last > g.fresh {
			s.State = e2e.NoNewData
		}
		g.mu.Unlock()
		out = append(out, s)
	}
	return out
}
