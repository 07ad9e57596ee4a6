// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// receive takes in a message. It is called by the goroutine that reads the
// connection, so it only puts the message where its handler finds it.
func (c *Client) receive(s *session, m paho.Message) {
	if m.Topic() == c.probeTopic() {
		c.echo(s, string(m.Payload()))
		return
	}
	sub := c.find(m.Topic())
	if sub == nil {
		return
	}
	c.counts.received.Add(1)
	if len(m.Payload()) > MaxPayload {
		if c.counts.oversized.Add(1) == 1 {
			c.log.Warn().Str("topic", m.Topic()).Int("bytes", len(m.Payload())).Int("allowed", MaxPayload).
				Msg("mqtt: a message is too long and was dropped; further ones are counted")
		}
		return
	}
	dropped := sub.push(Message{
		Topic:    m.Topic(),
		Payload:  bytes.Clone(m.Payload()),
		Retained: m.Retained(),
		At:       c.cfg.Now(),

		connection: s.number,
	})
	if dropped && c.counts.dropped.Add(1) == 1 {
		c.log.Warn().Str("filter", sub.filter).Msg("mqtt: messages come faster than they are handled and the oldest was dropped; further ones are counted")
	}
}

// find returns the subscription a topic belongs to. There is one at most.
func (c *Client) find(topic string) *subscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.subs {
		if matches(s.filter, topic) {
			return s
		}
	}
	return nil
}

// handle gives a message to its handler, in the subscription's goroutine.
func (c *Client) handle(ctx context.Context, s *subscription, m Message) {
	if s.command || isCommand(m.Topic) {
		if m.Retained {
			c.refuse(ctx, m)
			return
		}
		if len(m.Payload) == 0 {
			return // somebody cleared a retained one
		}
	}
	defer func() {
		if cause := recover(); cause != nil {
			c.log.Error().Str("topic", m.Topic).Str("panic", fmt.Sprint(cause)).Bytes("stack", debug.Stack()).
				Msg("mqtt: a handler failed; the message is lost")
		}
	}()
	if s.status {
		c.handling.RLock()
		defer c.handling.RUnlock()
		if m.connection <= c.ended {
			return // what was true then may have changed unheard since
		}
	}
	s.handler(ctx, m)
}

// refuse turns down a retained message on a command topic: it is an order of
// some time ago, by somebody who may not be there any more.
func (c *Client) refuse(ctx context.Context, m Message) {
	c.counts.refused.Add(1)
	event := c.log.Warn().Str("topic", m.Topic).Int("bytes", len(m.Payload))
	if !c.cfg.ClearRetained {
		event.Msg("mqtt: refused a retained command; remove it from the broker or set clear_retained")
		return
	}
	event.Msg("mqtt: refused a retained command and clear it")
	if err := c.clear(ctx, m.Topic); err != nil {
		c.log.Warn().Err(err).Str("topic", m.Topic).Msg("mqtt: could not clear a retained command")
	}
}

// clear removes the retained message of a topic.
func (c *Client) clear(ctx context.Context, topic string) error {
	c.mu.Lock()
	session := c.session
	c.mu.Unlock()
	if session == nil {
		return ErrDown
	}
	return session.publish(ctx, topic, nil, 1, true)
}
