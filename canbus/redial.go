// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"sync"
	"time"
)

// conn is one established connection of a transport that can break.
type conn interface {
	// receive hands what arrives to h until the connection fails or is closed.
	receive(h *hub) error
	// send writes one frame before the deadline. Broken means that the
	// connection cannot be used any more.
	send(deadline time.Time, f Frame) (broken bool, err error)
	// Close ends the connection. What was sent before still leaves, unless the
	// connection has failed: then it must not, because it would be old by then.
	Close() error
}

// stateful is a conn that knows the state of its controller when it begins;
// others begin up.
type stateful interface{ state() Link }

func firstLink(c conn) Link {
	if s, ok := c.(stateful); ok {
		return s.state()
	}
	return Link{State: LinkUp}
}

// permanentError marks a failure to dial that no waiting can mend.
type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

// redialBus keeps one connection up. There is no queue of frames: what cannot
// be sent now is refused, so nothing old leaves after a reconnect.
type redialBus struct {
	hub
	dial func(ctx context.Context) (conn, error)
	o    Options

	sending sync.Mutex // one write at a time

	curMu sync.Mutex
	cur   conn // nil while down

	cancel context.CancelFunc
	done   chan struct{} // closed when run has returned
}

// openRedial dials once, so that the caller learns at once what is wrong, and
// keeps the connection up from then on.
func openRedial(ctx context.Context, o Options, dial func(context.Context) (conn, error)) (Bus, error) {
	c, err := dial(ctx)
	if permanent := (permanentError{}); err != nil && (!o.KeepTrying || errors.As(err, &permanent)) {
		return nil, err
	}
	b := &redialBus{dial: dial, o: o, done: make(chan struct{})}
	b.clock, b.filters = o.Clock, o.Filters
	b.link = Link{State: LinkDown}
	if err != nil {
		b.link.Cause = err.Error()
	} else {
		b.link = firstLink(c)
	}
	b.cur = c
	run, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	go b.run(run, c)
	return b, nil
}

func (b *redialBus) run(ctx context.Context, c conn) {
	defer close(b.done)
	pause := b.o.BackoffMin
	for {
		if c == nil {
			if b.clock.Sleep(ctx, pause) != nil {
				break
			}
			pause = min(2*pause, b.o.BackoffMax)
			var err error
			if c, err = b.dial(ctx); ctx.Err() != nil {
				if c != nil {
					c.Close()
				}
				break
			} else if err != nil {
				c = nil
				b.setLink(Link{State: LinkDown, Cause: err.Error()})
				continue
			}
			b.redials.Add(1)
			b.setCurrent(c)
		}
		b.setLink(firstLink(c))
		began := b.clock.Now()
		cause := b.serve(ctx, c)
		if c = nil; ctx.Err() != nil {
			break
		}
		// A peer that accepts and hangs up at once is no success.
		if b.clock.Now().Sub(began) > pause {
			pause = b.o.BackoffMin
		}
		b.setLink(Link{State: LinkDown, Cause: cause})
	}
	b.setLink(Link{State: LinkEnded, Cause: "closed"})
}

// serve receives until the connection breaks and returns why.
func (b *redialBus) serve(ctx context.Context, c conn) (cause string) {
	stop := context.AfterFunc(ctx, func() { c.Close() })
	err := c.receive(&b.hub)
	stop()
	b.setCurrent(nil)
	c.Close()
	if err == nil {
		return "connection closed"
	}
	return err.Error()
}

func (b *redialBus) setCurrent(c conn) {
	b.curMu.Lock()
	defer b.curMu.Unlock()
	b.cur = c
}

// forget takes a connection that failed out of use.
func (b *redialBus) forget(c conn) {
	b.curMu.Lock()
	defer b.curMu.Unlock()
	if b.cur == c {
		b.cur = nil
	}
}

func (b *redialBus) current() conn {
	b.curMu.Lock()
	defer b.curMu.Unlock()
	return b.cur
}

func (b *redialBus) Send(ctx context.Context, f Frame) error {
	failed, err := b.send(ctx, f)
	if failed != nil {
		// It may take its time, and nobody else has to wait for it. Receive ends
		// and reports the link as down.
		failed.Close()
	}
	return err
}

// send is Send but for the end of a connection that failed, which it returns.
func (b *redialBus) send(ctx context.Context, f Frame) (failed conn, err error) {
	b.sending.Lock()
	defer b.sending.Unlock()
	// Each write has a fresh deadline; one that was left on the socket would
	// fail every later write.
	deadline := time.Now().Add(b.o.WriteTimeout)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	if err := ctx.Err(); err != nil {
		return nil, b.account(err)
	}
	if err := b.admit(f); err != nil {
		return nil, err
	}
	c := b.current()
	if c == nil {
		return nil, b.account(&LinkError{Link{State: LinkDown, Cause: "connection lost"}})
	}
	broken, err := c.send(deadline, f)
	if broken {
		b.forget(c)
		failed = c
	}
	if err == nil {
		b.sent.Add(1)
	}
	return failed, b.account(err)
}

func (b *redialBus) Close() error {
	b.cancel()
	<-b.done
	return nil
}
