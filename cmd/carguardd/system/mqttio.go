// SPDX-License-Identifier: Apache-2.0

package system

import (
	"context"
	"encoding/json"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// listenMQTT takes utterances in and gives replies, findings, turns and the
// state out.
func (s *System) listenMQTT(ctx context.Context, g *errgroup.Group) error {
	c := s.o.MQTT
	if err := s.listenTo(ctx, g); err != nil {
		return err
	}
	if s.o.Notice != nil {
		// Whatever it says, it only makes the updater look at its own source.
		if err := c.Subscribe(s.o.Topics.Notice(), func(context.Context, mqtt.Message) { s.o.Notice() }); err != nil {
			return err
		}
	}
	g.Go(func() error { s.publishEvents(ctx); return nil })
	g.Go(func() error { s.publishState(ctx); return nil })
	return nil
}

// publishEvents gives findings and finished turns out.
func (s *System) publishEvents(ctx context.Context) {
	events, end := s.Subscribe()
	defer end()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				return
			}
			s.publishEvent(ctx, e)
		}
	}
}

func (s *System) publishEvent(ctx context.Context, e api.Event) {
	switch d := e.Data.(type) {
	case *harness.Check:
		if len(d.Findings) > 0 {
			s.publish(ctx, s.o.Topics.Findings(), d.Findings, false)
		}
	case *harness.Turn:
		s.publish(ctx, s.o.Topics.Turn(), d, false)
	}
}

// publish gives one document out. What the broker does not take now is gone:
// nothing is said late.
func (s *System) publish(ctx context.Context, topic string, doc any, retain bool) {
	payload, err := json.Marshal(doc)
	if err != nil {
		s.o.Log.Error().Err(err).Str("topic", topic).Msg("publish")
		return
	}
	qos := byte(1)
	if retain && strings.Contains(topic, "/state/") {
		qos = 0
	}
	if err := s.o.MQTT.Publish(ctx, topic, payload, qos, retain); err != nil {
		s.o.Log.Debug().Err(err).Str("topic", topic).Msg("publish")
	}
}
