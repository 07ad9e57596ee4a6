// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"context"
	"fmt"
)

// Publish gives a message to the broker and returns when the broker has
// confirmed it (quality of service 1) or when it has been written (0). It returns
// an error matching
//
//   - [ErrDown] if there is no connection: nothing was sent and nothing will be;
//   - [ErrUnconfirmed] if it was sent but not confirmed before ctx, AckTimeout or
//     the connection ended. It may have arrived. It cannot arrive later than
//     AckTimeout after the call: the connection is ended before that;
//   - [ErrRetained] if the topic is a command's and retain is set.
//
// Messages are never queued and never sent again.
func (c *Client) Publish(ctx context.Context, topic string, payload []byte, qos byte, retain bool) error {
	err := c.publish(ctx, topic, payload, qos, retain)
	if err != nil {
		c.counts.failed.Add(1)
		return fmt.Errorf("publish to %s: %w", topic, err)
	}
	c.counts.published.Add(1)
	return nil
}

func (c *Client) publish(ctx context.Context, topic string, payload []byte, qos byte, retain bool) error {
	if err := checkTopic(topic); err != nil {
		return err
	}
	if len(payload) > MaxPayload {
		return fmt.Errorf("%w: %d bytes, at most %d are allowed", ErrPayload, len(payload), MaxPayload)
	}
	if qos > 1 {
		return fmt.Errorf("quality of service %d is not used here: use 0 or 1", qos)
	}
	if retain && isCommand(topic) {
		return ErrRetained
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	session, why := c.session, c.link.Err
	c.mu.Unlock()
	if session == nil {
		if why != nil {
			return fmt.Errorf("%w: %w", ErrDown, why)
		}
		return ErrDown
	}
	return session.publish(ctx, topic, payload, qos, retain)
}

// lost returns a channel that is closed when the present connection ends, or a
// closed one if there is none.
func (c *Client) lost() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != nil {
		return c.session.lost
	}
	closed := make(chan struct{})
	close(closed)
	return closed
}
