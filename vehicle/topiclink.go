// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"fmt"
	"time"
)

// Subscriber subscribes to one topic below carguard/<vehicle>/ and keeps the
// subscription over reconnects. It calls h with each payload, one call at a
// time; retained ones are those that were there before it subscribed.
type Subscriber func(topic string, h func(at time.Time, payload []byte, retained bool)) error

// TopicLink turns the status topics of the profile into observations.
type TopicLink struct {
	live    *Live
	topics  map[string][]*Signal
	signals []SignalID
}

// NewTopicLink collects the status topics of the live state's profile.
func NewTopicLink(live *Live) *TopicLink {
	l := &TopicLink{live: live, topics: map[string][]*Signal{}}
	for _, s := range live.Profile().Signals {
		if s.Status != nil && s.Status.Bus == "" && s.Status.Topic != "" {
			l.topics[s.Status.Topic] = append(l.topics[s.Status.Topic], s)
			l.signals = append(l.signals, s.ID)
		}
	}
	return l
}

// Attach subscribes to every status topic.
func (l *TopicLink) Attach(sub Subscriber) error {
	for topic := range l.topics {
		err := sub(topic, func(at time.Time, payload []byte, retained bool) {
			if retained {
				l.take(topic, at, payload, l.live.Recall)
			} else {
				l.Handle(topic, at, payload)
			}
		})
		if err != nil {
			return fmt.Errorf("subscribe to %s: %w", topic, err)
		}
	}
	return nil
}

// Handle takes in one message that is sent now.
func (l *TopicLink) Handle(topic string, at time.Time, payload []byte) {
	l.take(topic, at, payload, l.live.Observe)
}

func (l *TopicLink) take(topic string, at time.Time, payload []byte, as func(SignalID, Value, time.Time, Source)) {
	src := Source{Bus: "mqtt", Text: topic + " " + string(payload)}
	for _, s := range l.topics[topic] {
		as(s.ID, s.Status.TopicValue(s, payload), at, src)
	}
}

// Lost makes everything stale that the broker told: it is to be called when
// the connection to it is gone. What it tells after the reconnect is
// as good as what it tells at first.
func (l *TopicLink) Lost() { l.live.Lose(l.signals...) }
