// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Exchange holds the in-process buses of one program. Nodes that join the same
// name share a bus: what one sends, all others receive, in one order for all.
//
// By default each node has a goroutine and a queue of its own, as with a real
// controller. With Sync the frames are delivered before the outermost Send
// returns, in the goroutine of the sender, and there is no other goroutine:
// together with a virtual Clock a simulation is then deterministic. A frame
// sent by a handler is delivered after the present one has reached every node.
type Exchange struct {
	// Clock stamps the frames; nil is the wall clock.
	Clock Clock
	// Sync selects delivery in the goroutine of the sender. Do not hold a lock
	// over Send that a handler takes.
	Sync bool

	mu    sync.Mutex
	buses map[string]*memBus
}

// Join adds a node to the named bus, which exists from the first Join on. A
// filter, if any is given, must let a frame pass for the node to receive it.
func (x *Exchange) Join(name string, filters ...Filter) Bus {
	b := x.bus(name)
	n := &memNode{bus: b}
	n.clock, n.filters = b.clock, filters
	if !b.sync {
		n.inbox = newQueue[Event](memQueue)
		n.done = make(chan struct{})
		go n.run()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	n.link = b.link
	b.nodes = append(slices.Clone(b.nodes), n)
	return n
}

// SetLink changes the link of a named bus for all its nodes: a test or the
// bench breaks the cable, drives the controllers bus-off, and repairs them.
// While the link does not allow sending, no frame passes.
func (x *Exchange) SetLink(name string, l Link) {
	b := x.bus(name)
	now := b.clock.Now()
	b.post(memEvent{ev: Event{Time: now, Stamp: now, Kind: LinkEvent, Link: l}})
}

func (x *Exchange) bus(name string) *memBus {
	x.mu.Lock()
	defer x.mu.Unlock()
	if b, ok := x.buses[name]; ok {
		return b
	}
	b := &memBus{clock: clockOr(x.Clock), sync: x.Sync, link: Link{State: LinkUp}}
	if x.buses == nil {
		x.buses = map[string]*memBus{}
	}
	x.buses[name] = b
	return b
}

// memBus is the wire.
type memBus struct {
	clock Clock
	sync  bool

	mu       sync.Mutex // guards what follows; it also fixes the order on the bus
	link     Link
	nodes    []*memNode // replaced, never changed
	queue    []memEvent // sync only: not delivered yet
	draining bool
}

// memEvent is an event and the node that caused it (nil: the wire itself).
type memEvent struct {
	ev   Event
	from *memNode
}

// post hands an event to all nodes but its sender.
func (b *memBus) post(e memEvent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e.ev.Kind == LinkEvent {
		if b.link.State == e.ev.Link.State && b.link.Cause == e.ev.Link.Cause {
			return
		}
		b.link = e.ev.Link
		for _, n := range b.nodes { // at once: a Send in between must see it
			n.storeLink(b.link)
		}
	}
	if b.sync {
		b.queue = append(b.queue, e)
		if !b.draining {
			b.drain()
		}
		return
	}
	for _, n := range b.nodes {
		if n != e.from {
			n.enqueue(e.ev)
		}
	}
}

// drain delivers what is queued and what that causes. It is called with mu
// held and gives it up around each delivery.
func (b *memBus) drain() {
	b.draining = true
	defer func() { b.queue, b.draining = b.queue[:0], false }()
	for i := 0; i < len(b.queue); i++ {
		b.deliver(b.queue[i], b.nodes)
	}
}

func (b *memBus) deliver(e memEvent, nodes []*memNode) {
	b.mu.Unlock()
	defer b.mu.Lock() // a handler that panics leaves a usable bus
	for _, n := range nodes {
		if n != e.from {
			n.deliver(e.ev)
		}
	}
}

func (b *memBus) remove(n *memNode) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nodes = slices.DeleteFunc(slices.Clone(b.nodes), func(o *memNode) bool { return o == n })
}

func openMem(_ context.Context, u busURL, o Options) (Bus, error) {
	if err := u.only(); err != nil {
		return nil, err
	}
	if o.Mem == nil {
		return nil, fmt.Errorf("%s: no exchange given: an in-process bus needs other nodes in the same process", u)
	}
	return o.Mem.Join(u.path, o.Filters...), nil
}
