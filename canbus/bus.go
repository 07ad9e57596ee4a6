// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"time"
)

// Bus is one node's connection to one CAN bus. All methods may be called from
// any goroutine.
type Bus interface {
	// Send gives one frame to the bus. It returns nil when the controller, the
	// peer or the in-process bus has taken it, which says nothing about its
	// effect. It fails with an error wrapping [ErrInvalidFrame] before anything
	// left, with a [LinkError] unless the link is up or warning, with
	// [ErrReadOnly] or [ErrClosed], or when the write did not finish before
	// the earlier of ctx and the write timeout. A frame that failed is
	// forgotten: nothing is queued, nothing is sent again after a reconnect.
	Send(ctx context.Context, f Frame) error

	// Subscribe calls h for every event from now on until cancel is called. One
	// event is delivered at a time, in bus order; h must not block for long and
	// must not call Close, but it may call Send, Subscribe and cancel. A call
	// under way when cancel is called may still finish. The node's own frames
	// are not delivered to it.
	Subscribe(h func(Event)) (cancel func())

	// Link returns the present state. A change is stored before it is delivered.
	Link() Link

	// Stats returns counters since Open.
	Stats() Stats

	// Close ends the bus, delivers a last event with [LinkEnded], and waits for
	// what Open started. Further calls return nil.
	Close() error
}

// EventKind tells which part of an [Event] counts.
type EventKind uint8

// The kinds of events.
const (
	FrameEvent EventKind = iota // Frame was received
	LinkEvent                   // the link changed to Link
)

// Event is what a bus delivers: a frame, or a change of the link.
type Event struct {
	// Time is when this process got it, on the injected clock. Freshness is
	// judged by Time alone, never by Stamp.
	Time time.Time
	// Stamp is the time that the source gave: kernel, peer or log; Time where
	// it gave none.
	Stamp time.Time
	Kind  EventKind
	Frame Frame // if Kind is FrameEvent
	Link  Link  // if Kind is LinkEvent
}

// Stats are counters of one bus since it was opened.
type Stats struct {
	Received    uint64 `json:"received"`     // frames delivered
	Sent        uint64 `json:"sent"`         // frames taken by the bus
	SendErrors  uint64 `json:"send_errors"`  // refused or failed sends
	Dropped     uint64 `json:"dropped"`      // frames lost because the receiver was too slow; an overflow of the controller counts as one
	ErrorFrames uint64 `json:"error_frames"` // error frames, with and without a change of state
	BusOffs     uint64 `json:"bus_offs"`     // times that the controller left the bus
	Restarts    uint64 `json:"restarts"`     // times that it came back from that
	Redials     uint64 `json:"redials"`      // connections made again after a loss
	Unsupported uint64 `json:"unsupported"`  // CAN FD, XL or malformed input, skipped
}

// Receive calls h for every event until ctx ends, and then returns its error,
// or until the bus has ended, and then returns nil.
func Receive(ctx context.Context, b Bus, h func(Event)) error {
	ended := make(chan struct{}, 1)
	cancel := b.Subscribe(func(ev Event) {
		h(ev)
		if ev.Kind == LinkEvent && ev.Link.State == LinkEnded {
			select {
			case ended <- struct{}{}:
			default:
			}
		}
	})
	defer cancel()
	// An end that is stored is about to be delivered, and events with it, unless
	// that was before this function subscribed.
	var delivered <-chan time.Time
	if b.Link().State == LinkEnded {
		delivered = time.After(deliveryTime)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-ended:
	case <-delivered:
	}
	return nil
}

// deliveryTime is more than the delivery of what is queued takes.
const deliveryTime = 200 * time.Millisecond
