// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"context"
	"time"
)

// Bindings speaks the topics of a vehicle profile, which are written without
// their first two levels. It is what the boundary publishes through and what
// status topics are subscribed with.
type Bindings struct{ client *Client }

// Bindings returns the client as the profile's topics know it.
func (c *Client) Bindings() Bindings { return Bindings{c} }

// Publish sends one command, not retained, with quality of service 1. Its errors
// are those of [Client.Publish].
func (b Bindings) Publish(ctx context.Context, topic string, payload []byte) error {
	full, err := b.client.cfg.Topics.Below(topic)
	if err != nil {
		return err
	}
	return b.client.Publish(ctx, full, payload, 1, false)
}

// Connected reports whether a broker takes messages now.
func (b Bindings) Connected() bool { return b.client.Connected() }

// Subscribe calls h for each message on one status topic, one after the other,
// and says whether it is retained, that is of an unknown time. A message whose connection is gone when its turn comes is
// dropped, see [Client.OnLink]. h must not block: the end of a connection waits
// for it.
func (b Bindings) Subscribe(topic string, h func(at time.Time, payload []byte, retained bool)) error {
	full, err := b.client.cfg.Topics.Below(topic)
	if err != nil {
		return err
	}
	return b.client.subscribe(&subscription{filter: full, status: true,
		handler: func(_ context.Context, m Message) { h(m.At, m.Payload, m.Retained) }})
}

// SubscribeCommand calls h for each command on one topic: what an actuator does.
func (b Bindings) SubscribeCommand(topic string, h func(at time.Time, payload []byte)) error {
	full, err := b.client.cfg.Topics.Below(topic)
	if err != nil {
		return err
	}
	return b.client.SubscribeCommand(full, func(_ context.Context, m Message) { h(m.At, m.Payload) })
}

// PublishStatus sends a retained status: what an actuator says about itself.
func (b Bindings) PublishStatus(ctx context.Context, topic string, payload []byte) error {
	full, err := b.client.cfg.Topics.Below(topic)
	if err != nil {
		return err
	}
	return b.client.Publish(ctx, full, payload, 1, true)
}
