// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Release ends every command that is said again and sends, for each message
// whose last command may still be latched in a receiver, the frame that asks for
// nothing. It takes no longer than 100 ms. A bus that does not take frames now is
// left out: there, the receivers' own timeouts have to do it, as after a crash.
func (b *Boundary) Release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	b.mu.Lock()
	var due []*message
	for _, m := range b.messages {
		for r := range m.held {
			b.letGo(r)
		}
		if len(m.asked) > 0 && m.port().can.Link().State.CanSend() {
			due = append(due, m)
		}
	}
	b.mu.Unlock()
	var errs []error
	for _, m := range due {
		if err := b.release(ctx, m); err != nil {
			errs = append(errs, fmt.Errorf("release message %s on bus %s: %w", m.wire().Message().Name, m.port().name, err))
		}
	}
	return errors.Join(errs...)
}

func (b *Boundary) release(ctx context.Context, m *message) error {
	p := m.port()
	select {
	case <-p.free:
		defer func() { p.free <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for _, branch := range m.branches {
		b.mu.Lock()
		asks := m.asks(branch)
		b.mu.Unlock()
		if !asks {
			continue
		}
		f, err := b.encode(branch[0], b.cfg.Clock.Mono(), true)
		for err == nil {
			if err = b.sendAgain(branch[0], f); err == nil || !full(err) || ctx.Err() != nil {
				break
			}
			err = nil
			select {
			case <-ctx.Done():
			case <-time.After(time.Millisecond):
			}
		}
		if err != nil {
			b.count.add(&b.count.failed, p.name)
			return err
		}
		b.count.add(&b.count.sent, p.name)
		b.said(m, branch, true)
	}
	return nil
}
