// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// connection makes one connection and lives with it until it ends. Each has a
// paho client of its own: paho's own reconnecting sends again what was not
// confirmed before, and an old command must never be replayed.
func (c *Client) connection(ctx context.Context) (err error) {
	s, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer func() { s.end(err) }()
	if err := c.probe(ctx, s); err != nil {
		return err
	}
	// From here on handlers can publish.
	c.mu.Lock()
	c.session = s
	subs := append([]*subscription(nil), c.subs...)
	c.mu.Unlock()
	for _, sub := range subs {
		if err := s.subscribe(sub.filter); err != nil {
			return err
		}
	}
	if c.cfg.Announce {
		if err := s.publish(ctx, c.cfg.Topics.Status(), []byte("online"), 1, true); err != nil {
			return err
		}
	}
	if err := c.judge(s); err != nil {
		c.setLink(Degraded, s, err)
	} else {
		c.setLink(Up, s, nil)
	}
	return c.attend(ctx, s)
}

// attend waits for the end of a connection and tests it now and then.
func (c *Client) attend(ctx context.Context, s *session) error {
	test := time.NewTicker(c.cfg.ProbeEvery)
	defer test.Stop()
	for {
		select {
		case <-ctx.Done():
			c.farewell(s)
			return ctx.Err()
		case <-s.lost:
			if err := c.duplicate(); err != nil {
				return err
			}
			return fmt.Errorf("connection to %s lost: %w", c.cfg.URL, s.cause())
		case <-test.C:
			if err := c.probe(ctx, s); err != nil {
				if ctx.Err() != nil {
					continue // to say farewell
				}
				return err
			}
			if s.foreign.Swap(false) {
				continue
			}
			// Nobody has thrown us out for so long: we are alone.
			c.rivals.Store(0)
			c.setLink(Up, s, nil)
		}
	}
}

// farewell says offline ourselves: a broker sends the will only for clients that
// disappear.
func (c *Client) farewell(s *session) {
	c.down(nil) // nothing of anybody else goes out after it
	ctx, cancel := context.WithTimeout(context.Background(), c.cfg.AckTimeout)
	defer cancel()
	if c.cfg.Announce {
		if err := s.publish(ctx, c.cfg.Topics.Status(), []byte("offline"), 1, true); err != nil {
			c.log.Warn().Err(err).Msg("mqtt: could not say offline")
		}
	}
	if err := s.publish(ctx, c.probeTopic(), nil, 0, true); err != nil { // leave nothing behind
		c.log.Debug().Err(err).Msg("mqtt: could not clear the probe topic")
	}
}

// probe sends a message to ourselves and waits for it: a broker that was
// restarted, or an access list, can leave a client connected and deaf.
//
// The message is retained, so that it also tells when another client has used
// our id in the meantime: brokers close the older connection without a word, and
// each of the two would see a connection that comes and goes.
func (c *Client) probe(ctx context.Context, s *session) error {
	if s.probes == 0 {
		if err := s.subscribe(c.probeTopic()); err != nil {
			return err
		}
	}
	s.probes++
	want := fmt.Sprintf("%s %d", c.instance, c.probeNumber.Add(1))
	if err := s.publish(ctx, c.probeTopic(), []byte(want), 1, true); err != nil {
		return err
	}
	limit := time.NewTimer(c.cfg.AckTimeout)
	defer limit.Stop()
	for {
		select {
		case got := <-s.echo:
			if got == want {
				return nil
			}
		case <-limit.C:
			return fmt.Errorf("%w within %v: see the broker's access list for %s", ErrDeaf, c.cfg.AckTimeout, c.probeTopic())
		case <-s.lost:
			return fmt.Errorf("connection to %s lost: %w", c.cfg.URL, s.cause())
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// echo takes in a message on the probe topic.
func (c *Client) echo(s *session, payload string) {
	instance, _, _ := strings.Cut(payload, " ")
	switch instance {
	case "": // cleared
	case c.instance:
		select {
		case s.echo <- payload:
		default: // of an earlier test that gave up
		}
	default:
		s.foreign.Store(true)
	}
}

// maxRivals is at how many connections in a row another client's message is
// found where we left ours before the id is said to be used twice. Once is no
// proof: a broker that comes back with old data has one of an earlier process.
const maxRivals = 2

// judge counts, at the end of a connection's first self-test, whether somebody
// else had our id since the last.
func (c *Client) judge(s *session) error {
	before := c.judged.Swap(true)
	if !s.foreign.Swap(false) {
		c.rivals.Store(0)
	} else if before { // what is there at the first connection is of an earlier process
		c.rivals.Add(1)
	}
	return c.duplicate()
}

// duplicate returns an error if another client uses our id.
func (c *Client) duplicate() error {
	if c.rivals.Load() < maxRivals {
		return nil
	}
	return fmt.Errorf("%w: %q: give each client of %s an id of its own", ErrDuplicate, c.cfg.ClientID, c.cfg.URL)
}

// pause waits about d, half of it at random.
func pause(ctx context.Context, d time.Duration, random float64) {
	t := time.NewTimer(d/2 + time.Duration(float64(d/2)*random))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

var errEnded = errors.New("the connection has ended")
