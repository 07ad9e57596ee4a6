// SPDX-License-Identifier: Apache-2.0

package vehicletest

import (
	"context"
	"errors"
	"sync"
)

// Message is one MQTT message.
type Message struct {
	Topic   string
	Payload string
}

// Broker takes published messages and answers them by script.
type Broker struct {
	// Answer, if set, is called with each message while no lock is held.
	Answer func(Message)

	mu   sync.Mutex
	down bool
	got  []Message
}

// Publish takes a message.
func (b *Broker) Publish(ctx context.Context, topic string, payload []byte) error {
	m := Message{topic, string(payload)}
	b.mu.Lock()
	if b.down {
		b.mu.Unlock()
		return errors.New("broker is down")
	}
	b.got = append(b.got, m)
	answer := b.Answer
	b.mu.Unlock()
	if answer != nil {
		answer(m)
	}
	return ctx.Err()
}

// Connected reports whether the broker is up.
func (b *Broker) Connected() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.down
}

// SetDown takes the broker away or brings it back.
func (b *Broker) SetDown(down bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.down = down
}

// Received returns the messages so far.
func (b *Broker) Received() []Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Message(nil), b.got...)
}
