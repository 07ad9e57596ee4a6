// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"context"

	"github.com/carguardd/carguardd/vehicle"
)

// hold is a command that is said again in the cycles of its message. The guard
// of the command is not asked again: it was wanted moments ago.
type hold struct {
	cmd   Command
	left  int  // how often
	force bool // of a stop: no gate ends it
}

// keep says again what has just left, and remembers that it is to be released.
func (b *Boundary) keep(r *route, cmd Command, force bool) {
	if r.msg == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	n := r.msg.cycle.timesOf(r.sig)
	if _, idle := r.wire.Idle(); idle && (n > 0 || !b.cfg.Quiet) {
		r.msg.asked[r] = true
	}
	late := r.sig.Motion != nil && cmd.Epoch != b.epoch && !force // a stop came while it left
	if n == 0 || b.closed || late {
		return
	}
	r.msg.held[r] = &hold{cmd, n, force}
	b.wake(r.msg, r.msg.cycle.fast)
}

// heldNow asks the gates that look at the present whether each held command of
// the branch may be said once more, lets go of those that may not or were said
// often enough, and counts the others.
func (b *Boundary) heldNow(branch []*route) (n int, force bool) {
	for _, r := range branch {
		b.mu.Lock()
		h := r.msg.held[r]
		if h != nil {
			if h.left--; h.left < 0 {
				b.letGo(r)
				h = nil
			}
		}
		b.mu.Unlock()
		if h == nil {
			continue
		}
		if err := b.passHeld(r, h); err != nil {
			b.mu.Lock()
			if r.msg.held[r] == h {
				b.letGo(r)
				b.dropped++
			}
			b.mu.Unlock()
			_ = b.refuse(h.cmd, err) // counted and reported; nobody waits for it here
			continue
		}
		n++
		force = force || h.force
	}
	return n, force
}

// passHeld asks the gates that are about a command which left already.
func (b *Boundary) passHeld(r *route, h *hold) error {
	if h.force {
		return nil
	}
	return b.pass(&write{cmd: h.cmd, sig: r.sig, route: r}, gates.held)
}

// letGo ends one hold. b.mu is held.
func (b *Boundary) letGo(r *route) {
	delete(r.msg.held, r)
	close(b.eased)
	b.eased = make(chan struct{})
}

// ease ends the hold of a command that nobody waits for any more: its effect
// was observed, or it was given up. b.mu is held.
func (b *Boundary) ease(f *flight) {
	r := b.routes[f.sig.ID]
	if r == nil || r.msg == nil {
		return
	}
	if h := r.msg.held[r]; h != nil && !h.force && h.cmd.Call == f.call && h.cmd.Value.Equal(f.value) {
		h.left = 0
	}
}

// lose is [Boundary.drop] for a bus that was lost. What other nodes had sent by
// then says no more what they send now, or whether they do.
func (b *Boundary) lose(p *port) {
	b.drop(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, got := range b.received {
		if k.bus == p.name {
			got.lost = true
			b.received[k] = got
		}
	}
}

// drop forgets what would be said again on a bus: nothing that was asked before
// is sent after it is back.
func (b *Boundary) drop(p *port) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		if m.port() != p {
			continue
		}
		b.dropHeld(m)
		clear(m.asked)
	}
}

// dropHeld forgets what would be said again of one message. b.mu is held.
func (b *Boundary) dropHeld(m *message) {
	for r := range m.held {
		b.letGo(r)
		b.dropped++
	}
}

// dropMovements forgets what would move something again. b.mu is held.
func (b *Boundary) dropMovements() {
	for _, m := range b.messages {
		for r := range m.held {
			if r.sig.Motion != nil {
				b.letGo(r)
				b.dropped++
			}
		}
	}
}

// said notes that a frame of the branch has left which asks for what is held
// and for nothing else.
func (b *Boundary) said(m *message, branch []*route, release bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range branch {
		if m.held[r] == nil {
			delete(m.asked, r)
		}
	}
	if release {
		b.released++
	}
}

// heldValue returns what the signal is held at; unknown when it is not.
func (b *Boundary) heldValue(r *route) vehicle.Value {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h := r.msg.held[r]; h != nil {
		return h.cmd.Value
	}
	return vehicle.Value{}
}

// Settle waits until no command is said again any more, or until ctx ends and
// returns its error. A program that sends one command waits for it before it
// closes the boundary.
func (b *Boundary) Settle(ctx context.Context) error {
	for {
		b.mu.Lock()
		held, eased := 0, b.eased
		for _, m := range b.messages {
			held += len(m.held)
		}
		b.mu.Unlock()
		if held == 0 {
			return nil
		}
		select {
		case <-eased:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
