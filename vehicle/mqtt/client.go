// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rs/zerolog"
)

// Client is a connection to a broker that comes back. Its methods may be called
// from several goroutines at once, before Run, during it and after it.
type Client struct {
	cfg      Config
	log      zerolog.Logger
	instance string // of this process, in the messages to ourselves
	counts   counters

	probeNumber atomic.Uint64 // of the last message to ourselves
	judged      atomic.Bool   // there was a self-test that passed
	rivals      atomic.Int32  // connections in a row that found another client's message

	mu      sync.Mutex // guards everything that follows
	subs    []*subscription
	links   []func(Link)
	link    Link
	session *session        // nil while nothing can be published
	running context.Context // of Run; nil before and after
	work    sync.WaitGroup  // what Run waits for

	change sync.Mutex // held while changes of the link are told, taken before mu

	begun atomic.Uint64 // number of the latest connection, from 1
	// handling is read-held while a status is handled, and held to end a
	// connection: so that nothing is handled of one that was said to be gone.
	handling sync.RWMutex
	ended    uint64 // number of the latest connection that has ended; guarded by handling
}

// New returns a client that is not connected yet; [Client.Run] connects it. All
// errors in the configuration come back as one.
func New(cfg Config, log zerolog.Logger) (*Client, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("mqtt client: %w", err)
	}
	id := make([]byte, 8)
	rand.Read(id) // never fails
	return &Client{
		cfg:      cfg,
		log:      log.With().Str("client", cfg.ClientID).Logger(),
		instance: hex.EncodeToString(id),
		link:     Link{Phase: Down, Since: cfg.Now()},
	}, nil
}

// Run keeps the client connected until ctx ends, says farewell, and returns when
// all handlers have. It returns an error only if it is called twice.
func (c *Client) Run(ctx context.Context) error {
	if err := c.start(ctx); err != nil {
		return err
	}
	wait := c.cfg.MinBackoff
	for ctx.Err() == nil {
		began := c.cfg.Now()
		err := c.connection(ctx)
		if ctx.Err() != nil {
			err = nil // that is how it ends
		}
		c.down(err)
		if c.cfg.Now().Sub(began) > c.cfg.MaxBackoff+c.cfg.ConnectTimeout {
			wait = c.cfg.MinBackoff // it held: the broker was restarted, most likely
		}
		if errors.Is(err, ErrDuplicate) {
			wait = c.cfg.MaxBackoff // two that fight for an id at full speed help nobody
		}
		pause(ctx, wait, c.cfg.Random())
		wait = min(2*wait, c.cfg.MaxBackoff)
	}
	c.mu.Lock()
	c.running = nil
	c.mu.Unlock()
	c.work.Wait()
	return nil
}

func (c *Client) start(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil {
		return errors.New("mqtt client: it is running already")
	}
	c.running = ctx
	for _, s := range c.subs {
		c.serve(s)
	}
	return nil
}

// serve starts the goroutine of a subscription; mu is held.
func (c *Client) serve(s *subscription) {
	ctx := c.running
	c.work.Go(func() { s.run(ctx, c.handle) })
}

// Subscribe has h called for every message inside filter, now and after each
// reconnect. It returns an error matching [ErrOverlap] if the filter has topics
// in common with an earlier one, and the broker's error if it is connected and
// does not want the subscription; it is then tried again at the next reconnect.
//
// Retained messages on command topics never reach h (see [Kind.Command]); a
// retained flag can only be seen on messages that were there before, so one that
// is sent while we listen is carried out once, like any command, and refused
// from then on.
func (c *Client) Subscribe(filter string, h Handler) error {
	return c.subscribe(&subscription{filter: filter, handler: h})
}

// SubscribeCommand is Subscribe for topics that are commands although
// [ParseTopic] does not know them for such: those of a vehicle profile.
func (c *Client) SubscribeCommand(filter string, h Handler) error {
	return c.subscribe(&subscription{filter: filter, handler: h, command: true})
}

func (c *Client) subscribe(s *subscription) error {
	filter := s.filter
	if err := checkFilter(filter); err != nil {
		return err
	}
	s.wake = make(chan struct{}, 1)
	c.mu.Lock()
	for _, old := range append(c.subs, &subscription{filter: c.probeTopic()}) {
		if overlap(old.filter, filter) {
			c.mu.Unlock()
			return fmt.Errorf("%w: %s and %s", ErrOverlap, filter, old.filter)
		}
	}
	c.subs = append(c.subs, s)
	if c.running != nil {
		c.serve(s)
	}
	session := c.session
	c.mu.Unlock()
	if session == nil {
		return nil
	}
	return session.subscribe(filter)
}

// OnLink has f told each change of the link and each attempt to connect that
// failed, like [Config.OnChange] for one who did not make the client. When f is
// told that the link is not open, no status of [Bindings.Subscribe] that came
// over it is handled any more.
func (c *Client) OnLink(f func(Link)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.links = append(c.links, f)
}

// Link returns the state of the connection.
func (c *Client) Link() Link {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link
}

// Connected reports whether a broker takes messages now.
func (c *Client) Connected() bool { return c.Link().Open() }

// setLink changes the state and tells it.
func (c *Client) setLink(phase Phase, session *session, err error) {
	c.change.Lock()
	defer c.change.Unlock()
	c.mu.Lock()
	old := c.link
	c.session = session
	if old.Phase != phase {
		c.link.Since = c.cfg.Now()
	}
	if phase != Down && old.Phase == Down {
		c.link.Connects++
	}
	c.link.Phase = phase
	if err != nil {
		c.link.Err = err
	}
	now, links := c.link, c.links
	c.mu.Unlock()
	changed := old.Phase != now.Phase || err != nil && (old.Err == nil || old.Err.Error() != err.Error())
	if changed {
		c.report(now)
		c.cfg.OnChange(now)
	}
	if !changed && phase != Down {
		return
	}
	// A connection may have brought something although it never was up.
	for _, f := range links {
		f(now)
	}
}

// down notes the end of a connection, or that there was none.
func (c *Client) down(err error) {
	c.handling.Lock()
	c.ended = c.begun.Load()
	c.handling.Unlock()
	c.setLink(Down, nil, err)
}

func (c *Client) report(l Link) {
	event := c.log.Info()
	if l.Phase != Up && l.Err != nil {
		event = c.log.Warn().AnErr("reason", l.Err)
	}
	event.Str("phase", string(l.Phase)).Msg("mqtt link")
}

func (c *Client) probeTopic() string { return c.cfg.Topics.probe(c.cfg.ClientID) }

// Stats are counts since the client was made.
type Stats struct {
	Received  uint64 // messages for a handler
	Dropped   uint64 // of these, pushed out by newer ones
	Oversized uint64 // longer than MaxPayload
	Refused   uint64 // retained on a command topic
	Published uint64 // confirmed by the broker, or written with quality of service 0
	Failed    uint64 // publications that were not
}

type counters struct{ received, dropped, oversized, refused, published, failed atomic.Uint64 }

// Stats returns the counts.
func (c *Client) Stats() Stats {
	return Stats{
		Received:  c.counts.received.Load(),
		Dropped:   c.counts.dropped.Load(),
		Oversized: c.counts.oversized.Load(),
		Refused:   c.counts.refused.Load(),
		Published: c.counts.published.Load(),
		Failed:    c.counts.failed.Load(),
	}
}
