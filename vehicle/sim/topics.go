// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// A state is published again and again although it has not changed: so that it
// stays fresh, and so that a broker that was restarted, or was away, knows it.
const (
	leastBeat = 100 * time.Millisecond
	mostBeat  = 5 * time.Second
)

// startTopics takes commands from their topics and publishes every state.
func (b *Bench) startTopics() error {
	var ids []vehicle.SignalID
	for _, s := range b.Car.Profile.Signals {
		if c := s.Command; c != nil && c.Bus == "" && c.Topic != "" {
			err := b.cfg.Topics.SubscribeCommand(c.Topic, func(_ time.Time, payload []byte) {
				if v := c.TopicValue(s, payload); v.Known() {
					b.take([]command{{s, v}})
				}
			})
			if err != nil {
				return fmt.Errorf("subscribe to %s: %w", c.Topic, err)
			}
		}
		if onTopic(s) {
			ids = append(ids, s.ID)
			every := mostBeat
			if s.Fresh > 0 {
				every = min(max(s.Fresh/3, leastBeat), mostBeat)
			}
			b.heartbeat(s, every)
		}
	}
	b.tellTopics(ids)
	return nil
}

func onTopic(s *vehicle.Signal) bool {
	return s.Status != nil && s.Status.Bus == "" && s.Status.Topic != ""
}

// heartbeat publishes a state again and again.
func (b *Bench) heartbeat(s *vehicle.Signal, every time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	at := len(b.beats)
	b.beats = append(b.beats, nil)
	var beat func()
	beat = func() {
		if !b.enter() {
			return
		}
		defer b.running.Done()
		b.tellTopics([]vehicle.SignalID{s.ID})
		b.mu.Lock()
		defer b.mu.Unlock()
		if !b.closed {
			b.beats[at] = b.clock.AfterFunc(every, beat)
		}
	}
	b.beats[at] = b.clock.AfterFunc(every, beat)
}

// tellTopics publishes the states among the signals that have a topic.
func (b *Bench) tellTopics(ids []vehicle.SignalID) {
	if b.cfg.Topics == nil {
		return
	}
	if _, silent := b.fault(FaultSilent, mqttName); silent {
		return
	}
	b.publish.Lock()
	defer b.publish.Unlock()
	for _, s := range b.Car.Profile.Signals {
		if !onTopic(s) || !slices.Contains(ids, s.ID) {
			continue
		}
		if _, stale := b.fault(FaultStale, s.Name); stale {
			continue
		}
		if b.cfg.Topics.PublishStatus(b.ctx, s.Status.Topic, b.document(s)) != nil {
			b.lost.Add(1)
			continue
		}
		b.sent.Add(1)
	}
}

// document is a state as its topic carries it: value, time, quality.
func (b *Bench) document(s *vehicle.Signal) []byte {
	v, q := b.told(s), "ok"
	if v.Kind() == vehicle.Unknown {
		q = "invalid"
	}
	for _, m := range s.Status.Values {
		if m.Equal(v) {
			v = vehicle.TextOf(string(s.Status.TopicPayload(v)))
			break
		}
	}
	return object("v", v, "ts", b.clock.Now().UTC().Format(time.RFC3339Nano), "q", q).AppendJSON(nil)
}
