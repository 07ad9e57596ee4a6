// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"errors"
	"fmt"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
)

// FreshAfter is how long a value of a cyclic message counts: ten cycles, and
// no less than a second.
func FreshAfter(cycle time.Duration) time.Duration { return max(10*cycle, time.Second) }

// CANLink turns the frames of one bus into observations. It has no goroutine:
// the bus calls it.
type CANLink struct {
	live     *Live
	bus      string
	messages map[canbus.Key]*statusMessage
	guards   []*guard   // of protected messages
	signals  []SignalID // everything that is observed on this bus
	report   func(bus string, l canbus.Link)
	readings []Reading   // reused; a bus delivers one event at a time
	values   []dbc.Value // reused
}

// statusMessage is a message that carries the status of signals.
type statusMessage struct {
	msg   *dbc.Message
	wires map[*dbc.Signal][]*Wire
	guard *guard // nil: not protected
}

// NewCANLink resolves the status bindings on the named bus of the profile and
// tells the live state how long their values count. Report, if not nil, is
// told of every change of the link. It fails when a binding does not exist.
func NewCANLink(live *Live, bus string, db *dbc.Database, report func(bus string, l canbus.Link)) (*CANLink, error) {
	l := &CANLink{live: live, bus: bus, messages: map[canbus.Key]*statusMessage{}, report: report}
	var errs []error
	for _, s := range live.Profile().Signals {
		if s.Status == nil || s.Status.Bus != bus || bus == "" {
			continue
		}
		w, err := NewWire(s, s.Status, db)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		m := l.messages[w.Key()]
		if m == nil {
			m = &statusMessage{msg: w.Message(), wires: map[*dbc.Signal][]*Wire{}}
			if p := live.Profile().Protection(bus, w.Key()); p != nil {
				if m.guard = newGuard(p, w); m.guard == nil {
					errs = append(errs, fmt.Errorf("%s: message %s is protected and nobody knows how", s.Name, s.Status.Message))
					continue
				}
				l.guards = append(l.guards, m.guard)
			}
			l.messages[w.Key()] = m
		}
		m.wires[w.DBC] = append(m.wires[w.DBC], w)
		l.signals = append(l.signals, s.ID)
		live.SetFresh(s.ID, FreshAfter(w.Cycle()))
	}
	if len(errs) > 0 {
		return nil, fmt.Errorf("link bus %s: %w", bus, errors.Join(errs...))
	}
	return l, nil
}

// Handle takes in one event of the bus; it is the function to subscribe. A
// remote frame, a frame of the wrong length, an unknown identifier and a
// protected frame that is not to be believed say nothing. While nothing can be
// received, what was is stale.
func (l *CANLink) Handle(e canbus.Event) {
	if e.Kind == canbus.LinkEvent {
		switch e.Link.State {
		case canbus.LinkBusOff, canbus.LinkDown, canbus.LinkEnded:
			l.live.Lose(l.signals...)
			for _, g := range l.guards {
				g.silence()
			}
		}
		if l.report != nil {
			l.report(l.bus, e.Link)
		}
		return
	}
	m := l.messages[e.Frame.Key()]
	if m == nil || (m.guard != nil && !m.guard.believe(e.Frame, l.live.clock.Mono())) {
		return
	}
	var err error
	if l.values, err = m.msg.Decode(e.Frame, l.values[:0]); err != nil {
		return
	}
	l.readings = l.readings[:0]
	for _, v := range l.values {
		for _, w := range m.wires[v.Signal] {
			l.readings = append(l.readings, Reading{w.Signal.ID, w.Value(v)})
		}
	}
	// The time of the event does not follow a wall clock that is set.
	l.live.ObserveAll(l.live.clock.Now(), Source{Bus: l.bus, Frame: e.Frame}, l.readings...)
}

// Filters lets pass what the profile needs of a bus: the messages of status
// signals, and those of commands, whose frames from other nodes say what the rest
// of a frame is. A bus that the profile binds nothing to has no filter.
func (p *Profile) Filters(bus string) []canbus.Filter {
	db := p.Databases()[bus]
	seen := map[canbus.Key]bool{}
	var out []canbus.Filter
	for _, s := range p.Signals {
		for _, b := range []*Binding{s.Status, s.Command} {
			if b == nil || b.Bus != bus || db == nil {
				continue
			}
			if m, ok := db.Message(b.Message); ok && !seen[m.Key] {
				seen[m.Key] = true
				out = append(out, canbus.Filter{Key: m.Key, Mask: canbus.WholeKey})
			}
		}
	}
	return out
}

// Attach subscribes to the bus and reports its present state.
func (l *CANLink) Attach(b interface {
	Subscribe(h func(canbus.Event)) (cancel func())
	Link() canbus.Link
}) (cancel func()) {
	cancel = b.Subscribe(l.Handle)
	if l.report != nil {
		l.report(l.bus, b.Link())
	}
	return cancel
}
