// SPDX-License-Identifier: Apache-2.0

package system

import (
	"sync"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
)

// hub gives each event to every subscriber. One that does not keep up loses
// the oldest; nobody waits for anybody.
type hub struct {
	mu     sync.Mutex
	subs   map[chan api.Event]struct{}
	closed bool
}

// backlog is how many events a slow subscriber may be behind.
const backlog = 256

func (h *hub) subscribe() (<-chan api.Event, func()) {
	ch := make(chan api.Event, backlog)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		close(ch)
		return ch, func() {}
	}
	if h.subs == nil {
		h.subs = map[chan api.Event]struct{}{}
	}
	h.subs[ch] = struct{}{}
	return ch, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if _, ok := h.subs[ch]; ok {
			delete(h.subs, ch)
			close(ch)
		}
	}
}

func (h *hub) publish(e api.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for ch := range h.subs {
		for sent := false; !sent; {
			select {
			case ch <- e:
				sent = true
			default:
				select {
				case <-ch:
				default:
				}
			}
		}
	}
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for ch := range h.subs {
		delete(h.subs, ch)
		close(ch)
	}
}
