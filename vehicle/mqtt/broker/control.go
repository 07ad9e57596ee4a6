// SPDX-License-Identifier: Apache-2.0

package broker

import "errors"

// Publish puts a message on the broker as if a client had sent it.
func (b *Broker) Publish(topic string, payload []byte, retain bool) error {
	b.mu.Lock()
	server := b.server
	b.mu.Unlock()
	if server == nil {
		return errors.New("embedded mqtt broker: it is not running")
	}
	return server.Publish(topic, payload, retain, 1)
}

// Retained reports whether the broker holds a retained message for a topic.
func (b *Broker) Retained(topic string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.server == nil {
		return false
	}
	_, ok := b.server.Topics.Retained.Get(topic)
	return ok
}

// Mute has the broker take messages on a topic and deliver them to nobody, as an
// access list would, or ends that.
func (b *Broker) Mute(topic string, on bool) {
	b.muting.Lock()
	defer b.muting.Unlock()
	b.muted[topic] = on
}

func (b *Broker) mutes(topic string) bool {
	b.muting.Lock()
	defer b.muting.Unlock()
	return b.muted[topic]
}
