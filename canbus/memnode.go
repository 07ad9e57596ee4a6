// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"sync"
)

// memQueue is how many frames may wait for one node: eight seconds of a full
// bus. What does not fit is dropped and counted, as a kernel does it.
const memQueue = 1 << 15

// memNode is one connection to a memBus.
type memNode struct {
	hub
	bus *memBus

	inbox *queue[Event] // nil when the bus is synchronous
	done  chan struct{} // closed when run has returned
	close sync.Once
}

func (n *memNode) Send(ctx context.Context, f Frame) error {
	if err := ctx.Err(); err != nil {
		return n.account(err)
	}
	if err := n.admit(f); err != nil {
		return err
	}
	now := n.clock.Now()
	n.sent.Add(1)
	n.bus.post(memEvent{Event{Time: now, Stamp: now, Frame: f}, n})
	return nil
}

func (n *memNode) Close() error {
	n.close.Do(func() {
		n.bus.remove(n)
		if n.inbox == nil {
			n.setLink(Link{State: LinkEnded, Cause: "closed"})
			return
		}
		n.inbox.close()
		<-n.done
	})
	return nil
}

// run delivers to the subscribers until the node is closed.
func (n *memNode) run() {
	defer close(n.done)
	var batch []Event
	for {
		var open bool
		if batch, open = n.inbox.take(batch[:0]); !open {
			break
		}
		for _, ev := range batch {
			n.deliver(ev)
		}
	}
	n.setLink(Link{State: LinkEnded, Cause: "closed"})
}

func (n *memNode) deliver(ev Event) { n.emit(ev) }

func (n *memNode) enqueue(ev Event) {
	if !n.inbox.put(ev, ev.Kind == FrameEvent) {
		n.dropped.Add(1)
	}
}
