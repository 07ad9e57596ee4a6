// SPDX-License-Identifier: Apache-2.0

package system

import (
	"testing"

	"github.com/carguardd/carguardd/canbus"
)

// oneBus hands what the test sends to its subscribers.
type oneBus struct {
	canbus.Bus
	handlers []func(canbus.Event)
}

func (b *oneBus) Subscribe(h func(canbus.Event)) func() {
	b.handlers = append(b.handlers, h)
	return func() {}
}

// A handler that does not come back is noticed with the second check, and only
// while it does not.
func TestPulse(t *testing.T) {
	bus := &oneBus{}
	p := &pulse{}
	begun, release := make(chan struct{}), make(chan struct{})
	watchedBus{bus, p}.Subscribe(func(canbus.Event) {})
	watchedBus{bus, p}.Subscribe(func(e canbus.Event) {
		begun <- struct{}{}
		<-release
	})
	well := func(when string, want bool) {
		t.Helper()
		if err := p.check(); (err == nil) != want {
			t.Errorf("%s: %v", when, err)
		}
	}
	well("before any frame", true)
	for range 3 {
		bus.handlers[0](canbus.Event{})
		well("a quick handler", true)
	}
	for range 2 {
		done := make(chan struct{})
		go func() { bus.handlers[1](canbus.Event{}); close(done) }()
		<-begun
		well("in work", true)
		bus.handlers[0](canbus.Event{})
		well("still in work, while another handler goes on", false)
		well("and still", false)
		release <- struct{}{}
		<-done
		well("done", true)
	}
	// Busy every time that it is asked, but with another frame each time.
	for range 3 {
		done := make(chan struct{})
		go func() { bus.handlers[1](canbus.Event{}); close(done) }()
		<-begun
		well("another frame", true)
		release <- struct{}{}
		<-done
	}
}
