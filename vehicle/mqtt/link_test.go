// SPDX-License-Identifier: Apache-2.0

package mqtt_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

func TestBrokerRestart(t *testing.T) {
	b := mqtttest.Broker(t)
	var mu sync.Mutex
	var phases []mqtt.Phase
	cfg := mqtttest.Config(t, b, "two")
	cfg.OnChange = func(l mqtt.Link) {
		mu.Lock()
		defer mu.Unlock()
		phases = append(phases, l.Phase)
	}
	one := mqtttest.Client(t, b, "one")
	two, _ := mqtttest.Run(t, cfg, zerolog.Nop())
	got := listen(t, two, color)
	for round := 1; round <= 3; round++ {
		publish(t, one, color, fmt.Sprint(round), false)
		if m := mqtttest.Receive(t, "the message", got); string(m.Payload) != fmt.Sprint(round) {
			t.Errorf("round %d: got %s", round, m.Payload)
		}
		mqtttest.Stop(t, b)
		mqtttest.Await(t, "the clients to notice", func() bool { return !one.Connected() && !two.Connected() })
		err := one.Publish(t.Context(), color, []byte("lost"), 1, false)
		if !errors.Is(err, mqtt.ErrDown) {
			t.Errorf("round %d: publish while down gave %v", round, err)
		}
		if l := two.Link(); l.Err == nil || l.Since.IsZero() {
			t.Errorf("round %d: the link says nothing: %+v", round, l)
		}
		mqtttest.Start(t, b)
		mqtttest.Await(t, "the clients to come back", func() bool { return one.Connected() && two.Connected() })
	}
	publish(t, one, color, "end", false)
	if m := mqtttest.Receive(t, "the last message", got); string(m.Payload) != "end" {
		t.Errorf("got %s: what was published while down came later", m.Payload)
	}
	mu.Lock()
	defer mu.Unlock()
	want := []mqtt.Phase{mqtt.Up, mqtt.Down, mqtt.Up, mqtt.Down, mqtt.Up, mqtt.Down, mqtt.Up}
	if fmt.Sprint(phases) != fmt.Sprint(want) || two.Link().Connects != 4 {
		t.Errorf("phases were %v, connects %d", phases, two.Link().Connects)
	}
}

func TestDownAtOnce(t *testing.T) {
	b, err := broker.New(broker.InProcess, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	c, err := mqtt.New(mqtttest.Config(t, b, "one"), zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Publish(t.Context(), color, nil, 0, false); !errors.Is(err, mqtt.ErrDown) {
		t.Errorf("before run: %v", err)
	}
	got := listen(t, c, color)
	mqtttest.Go(t, c)
	mqtttest.Await(t, "an attempt to fail", func() bool { return c.Link().Err != nil })
	if err := c.Publish(t.Context(), color, []byte("old"), 1, false); !errors.Is(err, mqtt.ErrDown) || !strings.Contains(err.Error(), "not running") {
		t.Errorf("no broker: %v", err)
	}
	mqtttest.Start(t, b)
	t.Cleanup(func() { _ = b.Stop() })
	mqtttest.Await(t, "the client to connect", c.Connected)
	publish(t, c, color, "new", false)
	if m := mqtttest.Receive(t, "the message", got); string(m.Payload) != "new" {
		t.Errorf("got %s", m.Payload)
	}
}

func TestStatus(t *testing.T) {
	b := mqtttest.Broker(t)
	watcher := mqtttest.Client(t, b, "watcher")
	got := listen(t, watcher, status)
	cfg := mqtttest.Config(t, b, "daemon")
	cfg.Announce = true
	last := ""
	expect := func(want string) {
		t.Helper()
		now := last
		for now == last { // one that is published while we subscribe may come twice
			now = string(mqtttest.Receive(t, want, got).Payload)
		}
		if last = now; now != want {
			t.Errorf("status is %s, want %s", now, want)
		}
	}
	_, stop := mqtttest.Run(t, cfg, zerolog.Nop())
	expect("online")
	stop()
	expect("offline") // said by itself

	// And by will, if it disappears.
	cut := make(chan struct{}, 1)
	cfg.ClientID = "daemon-again" // the broker may not be done with the first
	cfg.Dial = cutting(b.Dial, cut)
	mqtttest.Run(t, cfg, zerolog.Nop())
	expect("online")
	cut <- struct{}{}
	expect("offline")
	expect("online")
}

func TestDuplicateID(t *testing.T) {
	b := mqtttest.Broker(t)
	one, _ := mqtt.New(mqtttest.Config(t, b, "same"), zerolog.Nop())
	two, _ := mqtt.New(mqtttest.Config(t, b, "same"), zerolog.Nop())
	mqtttest.Go(t, one)
	mqtttest.Go(t, two)
	// The one that notices first leaves the id to the other for a while, which may
	// not notice then.
	var said error
	mqtttest.Await(t, "a clear message", func() bool {
		for _, c := range []*mqtt.Client{one, two} {
			if err := c.Link().Err; errors.Is(err, mqtt.ErrDuplicate) {
				said = err
			}
		}
		return said != nil
	})
	if want := `another client uses the same client id: "same": give each client of tcp://in-process an id of its own`; said.Error() != want {
		t.Errorf("got %q", said)
	}
}

func TestRestartIsNoDuplicate(t *testing.T) {
	b := mqtttest.Broker(t)
	cut := make(chan struct{}, 1)
	for range 3 {
		cfg := mqtttest.Config(t, b, "same")
		cfg.Dial = cutting(b.Dial, cut)
		c, stop := mqtttest.Run(t, cfg, zerolog.Nop())
		for n := 2; n < 5; n++ {
			cut <- struct{}{}
			mqtttest.Await(t, "the client to come back", func() bool { return c.Link().Connects == n && c.Connected() })
		}
		if l := c.Link(); l.Phase != mqtt.Up || errors.Is(l.Err, mqtt.ErrDuplicate) {
			t.Errorf("link is %+v", l)
		}
		stop()
	}
}

func TestDeafConnection(t *testing.T) {
	b := mqtttest.Broker(t)
	b.Mute("carguard/test/probe/one", true)
	cfg := mqtttest.Config(t, b, "one")
	cfg.AckTimeout = 50 * time.Millisecond
	c, err := mqtt.New(cfg, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	mqtttest.Go(t, c)
	mqtttest.Await(t, "the client to notice", func() bool { return errors.Is(c.Link().Err, mqtt.ErrDeaf) })
	if c.Connected() {
		t.Error("a deaf client calls itself connected")
	}
	b.Mute("carguard/test/probe/one", false)
	mqtttest.Await(t, "the client to recover", c.Connected)
}

func TestDeafLater(t *testing.T) {
	b := mqtttest.Broker(t)
	cfg := mqtttest.Config(t, b, "one")
	cfg.AckTimeout = 50 * time.Millisecond
	cfg.ProbeEvery = 5 * time.Millisecond
	c, _ := mqtttest.Run(t, cfg, zerolog.Nop())
	b.Mute("carguard/test/probe/one", true)
	mqtttest.Await(t, "the client to notice", func() bool { return errors.Is(c.Link().Err, mqtt.ErrDeaf) && !c.Connected() })
}

func TestNothingLeaks(t *testing.T) {
	b := mqtttest.Broker(t)
	before := runtime.NumGoroutine()
	cut := make(chan struct{}, 1)
	cfg := mqtttest.Config(t, b, "one")
	cfg.Dial = cutting(b.Dial, cut)
	c, stop := mqtttest.Run(t, cfg, zerolog.Nop())
	listen(t, c, color)
	for n := 2; n < 22; n++ {
		cut <- struct{}{}
		mqtttest.Await(t, "the client to come back", func() bool { return c.Link().Connects == n && c.Connected() })
	}
	stop()
	if err := c.Publish(t.Context(), color, nil, 1, false); !errors.Is(err, mqtt.ErrDown) {
		t.Errorf("publish after the end gave %v", err)
	}
	mqtttest.Await(t, "all goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
}

func TestRunTwice(t *testing.T) {
	c := mqtttest.Client(t, mqtttest.Broker(t), "one")
	if err := c.Run(t.Context()); err == nil {
		t.Error("a second run gave no error")
	}
}
