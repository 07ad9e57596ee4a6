// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// hub is the part that all transports share: subscribers, link, counters.
// Whoever embeds it calls emit and setLink from one goroutine at a time.
type hub struct {
	clock   Clock
	filters []Filter

	subs atomic.Pointer[[]*subscriber]

	mu   sync.Mutex // guards link and changes of subs
	link Link

	received, sent, sendErrors, dropped, errorFrames, redials, unsupported, busOffs, restarts atomic.Uint64
}

type subscriber struct{ handle func(Event) }

func (h *hub) Subscribe(handle func(Event)) (cancel func()) {
	s := &subscriber{handle}
	h.mu.Lock()
	defer h.mu.Unlock()
	next := append(slices.Clone(h.subscribers()), s)
	h.subs.Store(&next)
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		next := slices.DeleteFunc(slices.Clone(h.subscribers()), func(o *subscriber) bool { return o == s })
		h.subs.Store(&next)
	}
}

func (h *hub) subscribers() []*subscriber {
	if p := h.subs.Load(); p != nil {
		return *p
	}
	return nil
}

func (h *hub) Link() Link {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.link
}

func (h *hub) Stats() Stats {
	return Stats{
		Received: h.received.Load(), Sent: h.sent.Load(), SendErrors: h.sendErrors.Load(), Dropped: h.dropped.Load(),
		ErrorFrames: h.errorFrames.Load(), BusOffs: h.busOffs.Load(), Restarts: h.restarts.Load(), Redials: h.redials.Load(), Unsupported: h.unsupported.Load(),
	}
}

// emit delivers one event to all subscribers.
func (h *hub) emit(ev Event) {
	if ev.Kind == FrameEvent {
		if !matchAny(h.filters, ev.Frame.Key()) {
			return
		}
		h.received.Add(1)
	}
	for _, s := range h.subscribers() {
		s.handle(ev)
	}
}

// emitFrame delivers a frame that was received now.
func (h *hub) emitFrame(f Frame, stamp time.Time) {
	now := h.clock.Now()
	if stamp.IsZero() {
		stamp = now
	}
	h.emit(Event{Time: now, Stamp: stamp, Frame: f})
}

// storeLink keeps the new state and reports whether it is news. Counters alone
// are no news: a storm of error frames must not become a storm of events.
func (h *hub) storeLink(l Link) (news bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.link.State == LinkEnded {
		return false
	}
	news = h.link.State != l.State || h.link.Cause != l.Cause
	switch off := h.link.State == LinkBusOff; {
	case !off && l.State == LinkBusOff:
		h.busOffs.Add(1)
	case off && l.State.CanSend():
		h.restarts.Add(1)
	}
	h.link = l
	return news
}

// setLink stores the state and delivers it if it is news.
func (h *hub) setLink(l Link) {
	if h.storeLink(l) {
		now := h.clock.Now()
		h.emit(Event{Time: now, Stamp: now, Kind: LinkEvent, Link: l})
	}
}

// errorFrame counts an error frame and follows its change of state.
func (h *hub) errorFrame(e ErrorFrame) {
	h.errorFrames.Add(1)
	if e.lostFrames() {
		h.dropped.Add(1)
	}
	h.setLink(e.Next(h.Link()))
}

// admit is the door of every Send.
func (h *hub) admit(f Frame) error {
	err := f.Validate()
	if l := h.Link(); err == nil && !l.State.CanSend() {
		err = &LinkError{l}
		if l.State == LinkEnded {
			err = ErrClosed
		}
	}
	return h.account(err)
}

// account counts the outcome of a refused or failed Send.
func (h *hub) account(err error) error {
	if err != nil {
		h.sendErrors.Add(1)
	}
	return err
}
