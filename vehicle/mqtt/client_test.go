// SPDX-License-Identifier: Apache-2.0

package mqtt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

const (
	status = "carguard/test/status"
	color  = "carguard/test/state/Vehicle/Cabin/Color"
	set    = "carguard/test/set/Vehicle/Cabin/Color"
)

// listen subscribes and returns what comes.
func listen(t *testing.T, c *mqtt.Client, filter string) <-chan mqtt.Message {
	t.Helper()
	got := make(chan mqtt.Message, 100)
	if err := c.Subscribe(filter, func(_ context.Context, m mqtt.Message) { got <- m }); err != nil {
		t.Fatal(err)
	}
	return got
}

func publish(t *testing.T, c *mqtt.Client, topic, payload string, retain bool) {
	t.Helper()
	if err := c.Publish(t.Context(), topic, []byte(payload), 1, retain); err != nil {
		t.Fatal(err)
	}
}

// raw puts a message on the broker that our own client would refuse to send.
func raw(t *testing.T, b *broker.Broker, topic, payload string, retain bool) {
	t.Helper()
	if err := b.Publish(topic, []byte(payload), retain); err != nil {
		t.Fatal(err)
	}
}

func TestPublishAndSubscribe(t *testing.T) {
	b := mqtttest.Broker(t)
	one, two := mqtttest.Client(t, b, "one"), mqtttest.Client(t, b, "two")
	got := listen(t, two, color)
	publish(t, one, color, "RED", false)
	m := mqtttest.Receive(t, "the message", got)
	if m.Topic != color || string(m.Payload) != "RED" || m.Retained || m.At.IsZero() {
		t.Errorf("got %+v", m)
	}
	publish(t, one, "carguard/test/state/Vehicle/Speed", "50", true)
	if m := mqtttest.Receive(t, "the retained value", listen(t, two, "carguard/test/state/Vehicle/Speed")); !m.Retained {
		t.Error("the value is not marked as retained")
	}
}

func TestOrderAndBurst(t *testing.T) {
	b := mqtttest.Broker(t)
	one, two := mqtttest.Client(t, b, "one"), mqtttest.Client(t, b, "two")
	const n = 200
	done := make(chan struct{})
	next := 0
	// The handler publishes and waits for the broker, which is what makes a client
	// stand still that handles messages where it reads them.
	err := two.Subscribe(color, func(ctx context.Context, m mqtt.Message) {
		if string(m.Payload) != fmt.Sprint(next) {
			t.Errorf("message %d is %s", next, m.Payload)
		}
		if err := two.Publish(ctx, "carguard/test/ack/"+string(m.Payload), nil, 1, false); err != nil {
			t.Errorf("publish in a handler: %v", err)
		}
		if next++; next == n {
			close(done)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		publish(t, one, color, fmt.Sprint(i), false)
	}
	mqtttest.Receive(t, "all messages", done)
}

func TestOldestIsDropped(t *testing.T) {
	b := mqtttest.Broker(t)
	one, two := mqtttest.Client(t, b, "one"), mqtttest.Client(t, b, "two")
	began, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var got []string
	last := make(chan struct{})
	const n = mqtt.QueueLength + 50
	err := two.Subscribe(color, func(_ context.Context, m mqtt.Message) {
		once.Do(func() { close(began) })
		<-release
		got = append(got, string(m.Payload))
		if string(m.Payload) == fmt.Sprint(n) {
			close(last)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	publish(t, one, color, "0", false)
	mqtttest.Receive(t, "the handler to begin", began)
	for i := 1; i <= n; i++ {
		publish(t, one, color, fmt.Sprint(i), false)
	}
	mqtttest.Await(t, "all messages to arrive", func() bool { return two.Stats().Received == n+1 })
	close(release)
	mqtttest.Receive(t, "the last message", last)
	if len(got) != mqtt.QueueLength+1 || got[1] != fmt.Sprint(n-mqtt.QueueLength+1) || two.Stats().Dropped != 50 {
		t.Errorf("got %d messages, the second is %s, %d were dropped", len(got), got[1], two.Stats().Dropped)
	}
}

func TestRetainedCommand(t *testing.T) {
	tests := []struct {
		name  string
		topic string
		clear bool
		left  bool
	}{
		{"refused", set, false, true},
		{"refused and cleared", set, true, false},
		{"utterance", "carguard/test/utterance", false, true},
		{"of a binding", "carguard/test/light/command", true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := mqtttest.Broker(t)
			raw(t, b, test.topic, "RED", true)
			var log syncBuffer
			cfg := mqtttest.Config(t, b, "one")
			cfg.ClearRetained = test.clear
			c, _ := mqtttest.Run(t, cfg, zerolog.New(&log))
			got := make(chan mqtt.Message, 10)
			if err := c.SubscribeCommand(test.topic, func(_ context.Context, m mqtt.Message) { got <- m }); err != nil {
				t.Fatal(err)
			}
			mqtttest.Await(t, "the refusal", func() bool { return c.Stats().Refused == 1 })
			mqtttest.Await(t, "the log", func() bool { return strings.Contains(log.String(), "refused a retained command") })
			raw(t, b, test.topic, "GREEN", false)
			if m := mqtttest.Receive(t, "the command", got); string(m.Payload) != "GREEN" {
				t.Errorf("the handler got %s", m.Payload)
			}
			mqtttest.Await(t, "the broker's memory", func() bool { return b.Retained(test.topic) == test.left })
			if !test.left && c.Stats().Refused != 1 {
				t.Errorf("refused %d times", c.Stats().Refused)
			}
		})
	}
}

func TestOwnCommandsAreNotRetained(t *testing.T) {
	c := mqtttest.Client(t, mqtttest.Broker(t), "one")
	if err := c.Publish(t.Context(), set, []byte("RED"), 1, true); !errors.Is(err, mqtt.ErrRetained) {
		t.Errorf("got %v", err)
	}
}

func TestSubscribeErrors(t *testing.T) {
	c := mqtttest.Client(t, mqtttest.Broker(t), "one")
	nothing := func(context.Context, mqtt.Message) {}
	if err := c.Subscribe("carguard/test/state/#", nothing); err != nil {
		t.Fatal(err)
	}
	for filter, want := range map[string]error{
		color:                     mqtt.ErrOverlap,
		"carguard/+/state/+":      mqtt.ErrOverlap,
		"#":                       mqtt.ErrOverlap,
		"carguard/test/probe/one": mqtt.ErrOverlap,
		"a/#/b":                   mqtt.ErrTopic,
		"":                        mqtt.ErrTopic,
	} {
		if err := c.Subscribe(filter, nothing); !errors.Is(err, want) {
			t.Errorf("%q gave %v", filter, err)
		}
	}
}

func TestPublishErrors(t *testing.T) {
	c := mqtttest.Client(t, mqtttest.Broker(t), "one")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, got := range map[string]struct{ err, want error }{
		"wildcard":  {c.Publish(t.Context(), "carguard/test/#", nil, 1, false), mqtt.ErrTopic},
		"too long":  {c.Publish(t.Context(), color, make([]byte, mqtt.MaxPayload+1), 1, false), mqtt.ErrPayload},
		"cancelled": {c.Publish(cancelled, color, nil, 1, false), context.Canceled},
	} {
		if !errors.Is(got.err, got.want) {
			t.Errorf("%s gave %v", name, got.err)
		}
	}
	if !c.Connected() {
		t.Error("refused publications cost the connection")
	}
}

// A broker that takes a command and does not confirm it: the caller hears so in
// its own time, and the connection ends so that nothing arrives late.
func TestUnconfirmed(t *testing.T) {
	b := mqtttest.Broker(t)
	cfg := mqtttest.Config(t, b, "one")
	cfg.AckTimeout = 200 * time.Millisecond
	stuck := new(gate)
	cfg.Dial = stuck.dial(b.Dial)
	c, _ := mqtttest.Run(t, cfg, zerolog.Nop())
	stuck.close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stuck.onWrite("RED", cancel)
	err := c.Publish(ctx, set, []byte("RED"), 1, false)
	if !errors.Is(err, mqtt.ErrUnconfirmed) || ctx.Err() == nil {
		t.Errorf("got %v", err)
	}
	mqtttest.Await(t, "the connection to end", func() bool { return !c.Connected() })
	stuck.open()
	mqtttest.Await(t, "the client to come back", c.Connected)
}

func TestHandlerPanics(t *testing.T) {
	b := mqtttest.Broker(t)
	var log syncBuffer
	c, _ := mqtttest.Run(t, mqtttest.Config(t, b, "one"), zerolog.New(&log))
	got := make(chan string, 2)
	err := c.Subscribe(color, func(_ context.Context, m mqtt.Message) {
		if string(m.Payload) == "bad" {
			panic("a mistake")
		}
		got <- string(m.Payload)
	})
	if err != nil {
		t.Fatal(err)
	}
	publish(t, c, color, "bad", false)
	publish(t, c, color, "good", false)
	if mqtttest.Receive(t, "the next message", got) != "good" || !strings.Contains(log.String(), "a mistake") {
		t.Errorf("log is %s", log.String())
	}
}

// syncBuffer is a log to look at while it is written.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
