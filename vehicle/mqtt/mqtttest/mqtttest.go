// SPDX-License-Identifier: Apache-2.0

package mqtttest

import (
	"context"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
)

// Patience is how long a test waits for something that should happen at once.
const Patience = 20 * time.Second

// Broker returns a broker that runs until the test ends.
func Broker(t testing.TB) *broker.Broker {
	t.Helper()
	b, err := broker.New(broker.InProcess, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	Start(t, b)
	t.Cleanup(func() { _ = b.Stop() }) // the test may have stopped it
	return b
}

// Start starts a broker.
func Start(t testing.TB, b *broker.Broker) {
	t.Helper()
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
}

// Stop stops a broker.
func Stop(t testing.TB, b *broker.Broker) {
	t.Helper()
	if err := b.Stop(); err != nil {
		t.Fatal(err)
	}
}

// Config returns the configuration of a client of the vehicle "test" that
// connects to b and does not wait long for anything.
func Config(t testing.TB, b *broker.Broker, id string) mqtt.Config {
	t.Helper()
	topics, err := mqtt.NewTopics("test")
	if err != nil {
		t.Fatal(err)
	}
	return mqtt.Config{
		URL:        b.URL(),
		ClientID:   id,
		Topics:     topics,
		Dial:       b.Dial,
		MinBackoff: 5 * time.Millisecond,
		MaxBackoff: 20 * time.Millisecond,
	}
}

// Run makes a client, runs it until the test ends or stop is called, and returns
// when it is connected. stop returns when the client has ended.
func Run(t testing.TB, cfg mqtt.Config, log zerolog.Logger) (client *mqtt.Client, stop func()) {
	t.Helper()
	client, err := mqtt.New(cfg, log)
	if err != nil {
		t.Fatal(err)
	}
	stop = Go(t, client)
	Await(t, "the client to connect", func() bool { return client.Link().Phase != mqtt.Down })
	return client, stop
}

// Go runs a client until the test ends or stop is called.
func Go(t testing.TB, client *mqtt.Client) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := client.Run(ctx); err != nil {
			t.Errorf("run: %v", err)
		}
	}()
	stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(stop)
	return stop
}

// Client is Run with the configuration of Config and no log.
func Client(t testing.TB, b *broker.Broker, id string) *mqtt.Client {
	t.Helper()
	client, _ := Run(t, Config(t, b, id), zerolog.Nop())
	return client
}

// Await returns when the condition holds, and fails the test if it does not in
// time.
func Await(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(Patience)
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v for %s", Patience, what)
		}
		time.Sleep(time.Millisecond)
	}
}

// Receive returns the next value of a channel, and fails the test if none comes
// in time.
func Receive[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(Patience):
		t.Fatalf("waited %v for %s", Patience, what)
		panic("not reached")
	}
}
