// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"testing"
	"time"
)

// fakeConn is a connection that the test breaks.
type fakeConn struct {
	events chan func(*hub) error
	once   sync.Once
	gone   chan struct{}
	slow   chan struct{} // Close waits for it, if not nil

	mu        sync.Mutex
	sent      []Frame
	deadlines []time.Time
	sendErr   error
	broken    bool
}

func newFakeConn() *fakeConn {
	return &fakeConn{events: make(chan func(*hub) error), gone: make(chan struct{})}
}

func (c *fakeConn) receive(h *hub) error {
	for {
		select {
		case f := <-c.events:
			if err := f(h); err != nil {
				return err
			}
		case <-c.gone:
			return os.ErrClosed
		}
	}
}

func (c *fakeConn) send(deadline time.Time, f Frame) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadlines = append(c.deadlines, deadline)
	if c.sendErr != nil {
		return c.broken, c.sendErr
	}
	c.sent = append(c.sent, f)
	return false, nil
}

func (c *fakeConn) Close() error {
	c.once.Do(func() { close(c.gone) })
	if c.slow != nil {
		<-c.slow
	}
	return nil
}

func (c *fakeConn) frames() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.sent)
}

// fakeDialer hands out connections; nil is a failure to dial.
type fakeDialer struct{ conns chan *fakeConn }

func (d fakeDialer) dial(ctx context.Context) (conn, error) {
	select {
	case c := <-d.conns:
		if c != nil {
			return c, nil
		}
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func openFake(t *testing.T, o Options, first *fakeConn) (Bus, fakeDialer, <-chan Event) {
	t.Helper()
	d := fakeDialer{make(chan *fakeConn, 1)}
	d.conns <- first
	b, err := openRedial(context.Background(), o.withDefaults(), d.dial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b, d, collect(t, b)
}

func wantLink(t *testing.T, ch <-chan Event, want LinkState) {
	t.Helper()
	if ev := next(t, ch); ev.Kind != LinkEvent || ev.Link.State != want {
		t.Fatalf("got %+v, want link %v", ev, want)
	}
}

// The connection breaks in the middle of things: sends are refused meanwhile,
// the bus dials again, and what was refused is never sent.
func TestRedialNeverReplays(t *testing.T) {
	first, second := newFakeConn(), newFakeConn()
	b, d, got := openFake(t, Options{BackoffMin: time.Microsecond}, first)
	send(t, b, "001#")
	first.events <- func(*hub) error { return errors.New("network is down") }
	wantLink(t, got, LinkDown)
	if err := b.Send(context.Background(), Frame{ID: 2}); !errors.Is(err, ErrLink) {
		t.Errorf("Send while down: %v", err)
	}
	d.conns <- nil // one dial fails
	wantLink(t, got, LinkDown)
	if cause := b.Link().Cause; cause != "connection refused" {
		t.Errorf("cause %q", cause)
	}
	d.conns <- second
	wantLink(t, got, LinkUp)
	send(t, b, "003#")
	if first.frames() != 1 || second.frames() != 1 || second.sent[0].ID != 3 {
		t.Errorf("sent %v and %v", first.sent, second.sent)
	}
	if s := b.Stats(); s.Sent != 2 || s.SendErrors != 1 || s.Redials != 1 {
		t.Errorf("%+v", s)
	}
	b.Close()
	wantLink(t, got, LinkEnded)
	if err := b.Send(context.Background(), Frame{}); !errors.Is(err, ErrClosed) {
		t.Errorf("Send after Close: %v", err)
	}
}

// Each write has a deadline of its own, and none after a write without one.
func TestFreshWriteDeadline(t *testing.T) {
	c := newFakeConn()
	b, _, _ := openFake(t, Options{WriteTimeout: time.Hour}, c)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := b.Send(ctx, Frame{}); err != nil {
		t.Fatal(err)
	}
	send(t, b, "001#")
	near, far := time.Until(c.deadlines[0]), time.Until(c.deadlines[1])
	if near > time.Minute || far < 50*time.Minute {
		t.Errorf("deadlines in %v and %v", near, far)
	}
}

// A sender that waited behind another one has its full time.
func TestDeadlineBeginsWithTheWrite(t *testing.T) {
	c := newFakeConn()
	b, _, _ := openFake(t, Options{WriteTimeout: time.Hour}, c)
	rb := b.(*redialBus)
	rb.sending.Lock()
	done := make(chan error, 1)
	asked := time.Now()
	go func() { done <- b.Send(context.Background(), Frame{}) }()
	time.Sleep(5 * time.Millisecond) // let it wait for its turn; the test holds without, too
	released := time.Now()
	rb.sending.Unlock()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if d := c.deadlines[0]; d.Before(released.Add(time.Hour)) {
		t.Errorf("deadline %v after asking, %v after its turn", d.Sub(asked), d.Sub(released))
	}
}

func TestBrokenWriteRedials(t *testing.T) {
	first := newFakeConn()
	first.sendErr = errors.New("queue full")
	b, d, got := openFake(t, Options{BackoffMin: time.Microsecond}, first)
	if err := b.Send(context.Background(), Frame{}); !errors.Is(err, first.sendErr) || b.Link().State != LinkUp {
		t.Errorf("a write that failed: %v, link %v", err, b.Link())
	}
	first.mu.Lock()
	first.broken = true
	first.mu.Unlock()
	if err := b.Send(context.Background(), Frame{}); !errors.Is(err, first.sendErr) {
		t.Error(err)
	}
	wantLink(t, got, LinkDown)
	d.conns <- newFakeConn()
	wantLink(t, got, LinkUp)
}

func TestInvalidFramesStayInside(t *testing.T) {
	c := newFakeConn()
	b, _, _ := openFake(t, Options{}, c)
	if err := b.Send(context.Background(), Frame{ID: 0xFFF}); !errors.Is(err, ErrInvalidFrame) {
		t.Error(err)
	}
	if c.frames() != 0 {
		t.Errorf("sent %v", c.sent)
	}
}

func TestKeepTrying(t *testing.T) {
	refused := errors.New("refused")
	failing := func(context.Context) (conn, error) { return nil, refused }
	if _, err := openRedial(context.Background(), Options{}.withDefaults(), failing); !errors.Is(err, refused) {
		t.Errorf("Open: %v", err)
	}
	b, err := openRedial(context.Background(), Options{KeepTrying: true}.withDefaults(), failing)
	if err != nil {
		t.Fatal(err)
	}
	if l := b.Link(); l.State != LinkDown || l.Cause != "refused" {
		t.Errorf("link %v", l)
	}
	b.Close()
	never := func(context.Context) (conn, error) { return nil, permanentError{refused} }
	if _, err := openRedial(context.Background(), Options{KeepTrying: true}.withDefaults(), never); !errors.Is(err, refused) {
		t.Errorf("Open of what can never work: %v", err)
	}
}

// eagerClock sleeps not at all and notes how long it should have.
type eagerClock struct {
	Clock
	pauses []time.Duration
	end    context.CancelFunc
}

func (c *eagerClock) Sleep(ctx context.Context, d time.Duration) error {
	if c.pauses = append(c.pauses, d); len(c.pauses) == 6 {
		c.end()
	}
	return ctx.Err()
}

// The pause before a new try grows up to its limit.
func TestRedialBacksOff(t *testing.T) {
	ctx, end := context.WithCancel(context.Background())
	clock := &eagerClock{Clock: Options{}.withDefaults().Clock, end: end}
	b := &redialBus{o: Options{BackoffMin: time.Second, BackoffMax: 5 * time.Second}, done: make(chan struct{}),
		dial: func(context.Context) (conn, error) { return nil, errors.New("refused") }}
	b.clock = clock
	b.run(ctx, nil)
	want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second}
	if !slices.Equal(clock.pauses, want) {
		t.Errorf("paused %v", clock.pauses)
	}
}

// A frame that comes in the moment between two connections is refused, not kept.
func TestNoFrameWaitsForAConnection(t *testing.T) {
	first := newFakeConn()
	bus, _, _ := openFake(t, Options{}, first)
	bus.(*redialBus).setCurrent(nil) // the link does not say so yet
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := bus.Send(ctx, Frame{ID: 2}); !errors.Is(err, ErrLink) || first.frames() != 0 {
		t.Errorf("%v, %d frames", err, first.frames())
	}
}
