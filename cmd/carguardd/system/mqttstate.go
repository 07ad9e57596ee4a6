// SPDX-License-Identifier: Apache-2.0

package system

import (
	"context"
	"time"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

const (
	// statePause is the least time between two rounds of state messages: what
	// moves is told at this pace, not at that of the bus.
	statePause = 250 * time.Millisecond
	// agePause is the time between two looks at what has become stale without
	// a word.
	agePause = time.Second
)

// stateTeller gives out the state of the signals that are not on MQTT already,
// retained: all that is known when the broker is connected, since it may have
// forgotten or missed it, and then whatever changes.
type stateTeller struct {
	s      *System
	topics []string // by signal; empty: it is not given out
	link   chan struct{}

	watch *vehicle.Watch // nil: the broker is away
	over  int            // of the connection that the watch began with, its Connects
	told  []string       // over it, the quality by signal; empty: nothing
	news  []vehicle.Observation
}

// publishState gives out the state until ctx ends.
func (s *System) publishState(ctx context.Context) {
	t := &stateTeller{s: s, topics: s.stateTopics(), told: make([]string, len(s.Profile.Signals)), link: make(chan struct{}, 1)}
	defer t.end()
	s.o.MQTT.OnLink(func(mqtt.Link) {
		select {
		case t.link <- struct{}{}:
		default: // it has yet to look
		}
	})
	age := s.o.Clock.NewTimer(agePause)
	defer age.Stop()
	for {
		t.follow()
		select {
		case <-ctx.Done():
			return
		case <-t.link:
			continue
		case <-t.changed():
			t.tellChanged(ctx)
		case <-age.C():
			t.tellAged(ctx)
			age.Reset(agePause)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.o.Clock.After(statePause):
		}
	}
}

// stateTopics are the topics of the state by signal.
func (s *System) stateTopics() []string {
	out := make([]string, len(s.Profile.Signals))
	for i, sig := range s.Profile.Signals {
		if sig.VSS == "" || sig.Status != nil && sig.Status.Topic != "" {
			continue
		}
		if p, err := mqtt.ParsePath(sig.VSS); err == nil {
			out[i] = s.o.Topics.State(p)
		}
	}
	return out
}

// follow begins anew with each connection, and takes nothing while there is none.
func (t *stateTeller) follow() {
	link := t.s.o.MQTT.Link()
	if t.watch != nil && (!link.Open() || link.Connects != t.over) {
		t.end()
	}
	if t.watch == nil && link.Open() {
		t.watch, t.over = t.s.Live.Watch(), link.Connects
		clear(t.told)
	}
}

func (t *stateTeller) end() {
	if t.watch != nil {
		t.watch.Close()
		t.watch = nil
	}
}

// changed delivers when there is something to tell; nil while nobody listens.
func (t *stateTeller) changed() <-chan struct{} {
	if t.watch == nil {
		return nil
	}
	return t.watch.C()
}

func (t *stateTeller) tellChanged(ctx context.Context) {
	t.news = t.watch.Take(t.news[:0])
	for _, o := range t.news {
		t.tell(ctx, o)
	}
}

// tellAged tells what has another quality than was said: the passing of time
// changes it without an observation.
func (t *stateTeller) tellAged(ctx context.Context) {
	if t.watch == nil {
		return
	}
	for id, q := range t.told {
		if q == "" {
			continue
		}
		if o := t.s.Live.Get(vehicle.SignalID(id)); stateDoc(o).Q != q {
			t.tell(ctx, o)
		}
	}
}

func (t *stateTeller) tell(ctx context.Context, o vehicle.Observation) {
	if topic := t.topics[o.Signal]; topic != "" {
		doc := stateDoc(o)
		t.s.publish(ctx, topic, doc, true)
		t.told[o.Signal] = doc.Q
	}
}

// stateMessage is the payload of a state topic.
type stateMessage struct {
	V  vehicle.Value `json:"v"`
	TS time.Time     `json:"ts"`
	Q  string        `json:"q"` // ok, stale, invalid
}

func stateDoc(o vehicle.Observation) stateMessage {
	m := stateMessage{V: o.Value, TS: o.At, Q: "ok"}
	switch {
	case !o.Value.Known():
		m.Q = "invalid"
	case !o.Fresh:
		m.Q = "stale"
	}
	return m
}
