// SPDX-License-Identifier: Apache-2.0

package canbustest

import (
	"slices"
	"sync"

	"github.com/carguardd/carguardd/canbus"
)

// subscribers is the list of handlers of a bus, in order of subscription.
type subscribers struct {
	mu   sync.Mutex
	next int
	list []subscriber
}

type subscriber struct {
	id     int
	handle func(canbus.Event)
}

func (s *subscribers) Subscribe(h func(canbus.Event)) (cancel func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	id := s.next
	s.list = append(slices.Clone(s.list), subscriber{id, h})
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.list = slices.DeleteFunc(slices.Clone(s.list), func(o subscriber) bool { return o.id == id })
	}
}

// emit calls the handlers in the goroutine of the caller.
func (s *subscribers) emit(ev canbus.Event) {
	s.mu.Lock()
	list := s.list
	s.mu.Unlock()
	for _, o := range list {
		o.handle(ev)
	}
}
