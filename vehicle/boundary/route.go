// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/e2e"
	"github.com/carguardd/carguardd/vehicle"
)

// route is how commands of one signal leave: one entry of the allow-list.
type route struct {
	sig   *vehicle.Signal
	port  *port
	msg   *message      // on CAN
	wire  *vehicle.Wire // on CAN
	topic string        // on MQTT
}

// message is a CAN message that may be written, with the signals of it that
// may be commanded.
type message struct {
	routes []*route
	mask   uint64 // bits of the commanded signals, in little-endian numbering

	branches [][]*route // those that share frames; one, where nothing is multiplexed
	cycle    cycle

	protection e2e.Algorithm // nil: not protected
	sender     *e2e.Sender   // lives as long as the boundary, whatever becomes of the bus

	// Guarded by Boundary.mu:
	held  map[*route]*hold
	asked map[*route]bool // said something that is not idle since it was idle last
	timer vehicle.Timer
	due   time.Duration // when the next cycle is
	beats uint64        // cycles arranged
}

func (m *message) port() *port { return m.routes[0].port }

// asks reports whether the last frame of the branch asks for something.
func (m *message) asks(branch []*route) bool {
	return slices.ContainsFunc(branch, func(r *route) bool { return m.asked[r] })
}

// add puts a route to those that share its frames.
func (m *message) add(r *route) {
	m.routes = append(m.routes, r)
	m.mask |= r.wire.Mask()
	for i, branch := range m.branches {
		if slices.Equal(branch[0].wire.Select(), r.wire.Select()) {
			m.branches[i] = append(branch, r)
			return
		}
	}
	m.branches = append(m.branches, []*route{r})
}

// guarded has the bits that the protection writes.
func (m *message) guarded() uint64 {
	if m.protection == nil {
		return 0
	}
	return m.protection.Mask()
}

// wire returns the message's layout, which all its routes share.
func (m *message) wire() *vehicle.Wire { return m.routes[0].wire }

// route derives the allow-list from the profile's command bindings.
func (b *Boundary) route() error {
	b.routes = make([]*route, len(b.profile.Signals))
	var errs []error
	for _, s := range b.profile.Signals {
		if s.Command == nil {
			continue
		}
		r, err := b.routeOf(s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		b.routes[s.ID] = r
	}
	return errors.Join(errs...)
}

func (b *Boundary) routeOf(s *vehicle.Signal) (*route, error) {
	r := &route{sig: s}
	switch {
	case b.cfg.Plant != nil:
		r.port = b.port("plant", nil)
	case s.Command.Bus == "":
		if s.Command.Topic == "" {
			return nil, fmt.Errorf("%s: command binding has neither bus nor topic", s.Name)
		}
		r.port, r.topic = b.port("mqtt", nil), s.Command.Topic
	default:
		bus, ok := b.cfg.Buses[s.Command.Bus]
		if !ok {
			return nil, fmt.Errorf("%s: bus %q is not connected", s.Name, s.Command.Bus)
		}
		wire, err := vehicle.NewWire(s, s.Command, b.dbc[s.Command.Bus])
		if err != nil {
			return nil, err
		}
		r.wire, r.port = wire, b.port(s.Command.Bus, bus)
		k := busKey{r.port.name, wire.Key()}
		if b.allowed[k] == nil {
			m := &message{cycle: cycleOf(wire.Message(), b.cfg.Quiet), held: map[*route]*hold{}, asked: map[*route]bool{}}
			if p := b.profile.Protection(s.Command.Bus, wire.Key()); p != nil && p.Algorithm == nil {
				return nil, fmt.Errorf("%s: message %s is protected by a counter and checksum that cannot be computed", s.Name, s.Command.Message)
			} else if p != nil {
				m.protection, m.sender = p.Algorithm, e2e.NewSender(p.Algorithm)
			}
			b.allowed[k] = m
			b.messages = append(b.messages, m)
		}
		r.msg = b.allowed[k]
		r.msg.add(r)
	}
	return r, nil
}

func (b *Boundary) port(name string, can Bus) *port {
	p, ok := b.ports[name]
	if !ok {
		p = &port{name: name, can: can, free: make(chan struct{}, 1)}
		p.free <- struct{}{}
		b.ports[name] = p
	}
	return p
}

// Allowed is one entry of the allow-list, for people.
type Allowed struct {
	Signal string     `json:"signal"`
	Bus    string     `json:"bus"`
	Key    canbus.Key `json:"-"`
	ID     string     `json:"id,omitempty"`     // identifier in hexadecimal, eight digits when extended
	Length int        `json:"length,omitempty"` // bytes
	Mask   string     `json:"mask,omitempty"`   // the bits that may be written, bytes in order
	Topic  string     `json:"topic,omitempty"`
}

// AllowList returns what may be written, in the profile's order.
func (b *Boundary) AllowList() []Allowed {
	var l []Allowed
	for _, r := range b.routes {
		if r == nil {
			continue
		}
		a := Allowed{Signal: r.sig.Name, Bus: r.port.name, Topic: r.topic}
		if r.wire != nil {
			a.Key, a.ID, a.Length = r.wire.Key(), r.wire.Key().String(), r.wire.Length()
			var d canbus.Data
			d.UnpackLittleEndian(r.wire.Mask())
			a.Mask = fmt.Sprintf("% X", d[:a.Length])
		}
		l = append(l, a)
	}
	return l
}
