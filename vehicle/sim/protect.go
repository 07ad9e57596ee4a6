// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"sync"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/e2e"
	"github.com/carguardd/carguardd/vehicle"
)

// protection is how a control unit protects the frames of one message that it
// sends, and checks those that it takes. The zero value does neither.
type protection struct {
	length   int
	sender   *e2e.Sender
	mu       *sync.Mutex // guards receiver
	receiver *e2e.Receiver
}

func newBoundMessage(p *vehicle.Profile, bus string, w *vehicle.Wire) boundMessage {
	m := boundMessage{msg: w.Message()}
	if g := p.Protection(bus, w.Key()); g != nil && g.Algorithm != nil {
		// A command comes seldom: the first good one counts.
		l := g.Limits
		l.Recover = 1
		m.check = protection{length: w.Length(), sender: e2e.NewSender(g.Algorithm), mu: &sync.Mutex{}, receiver: e2e.NewReceiver(g.Algorithm, l)}
	}
	return m
}

func (c protection) protect(f canbus.Frame) canbus.Frame {
	if c.sender == nil {
		return f
	}
	f, _ = c.sender.Protect(f)
	return f
}

// believe judges a frame that somebody else sent.
func (c protection) believe(f canbus.Frame) bool {
	if c.receiver == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.IsRemote || int(f.Length) != c.length {
		c.receiver.Reject()
		return false
	}
	c.receiver.Check(f.Data[:f.Length])
	return c.receiver.Trusted()
}
