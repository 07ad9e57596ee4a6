// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/rig/oracle"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// prefix is that of every topic of the bench.
const prefix = "carguard/bench/"

// topicTap hears every command on the broker, as a third party would.
type topicTap struct {
	client *mqtt.Client
	mu     sync.Mutex
	heard  []string
	news   chan struct{}
}

func tapTopics(ctx context.Context, t testing.TB, r *rig.Rig) *topicTap {
	t.Helper()
	topics, err := mqtt.NewTopics("bench")
	if err != nil {
		t.Fatal(err)
	}
	c, err := mqtt.New(mqtt.Config{URL: r.Broker.URL(), ClientID: "oracle", Topics: topics, Dial: r.Broker.Dial,
		MinBackoff: 20 * time.Millisecond, MaxBackoff: 500 * time.Millisecond}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	tap := &topicTap{client: c, news: make(chan struct{}, 1)}
	err = c.Subscribe(prefix+"set/#", func(_ context.Context, m mqtt.Message) {
		tap.mu.Lock()
		tap.heard = append(tap.heard, strings.TrimPrefix(m.Topic, prefix)+" "+string(m.Payload))
		tap.mu.Unlock()
		select {
		case tap.news <- struct{}{}:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	t.Cleanup(func() { end(); <-done })
	tap.connected(ctx, t)
	return tap
}

// connected waits until the tap hears what is said.
func (p *topicTap) connected(ctx context.Context, t testing.TB) {
	t.Helper()
	for !p.client.Connected() { // it says so when it has subscribed
		select {
		case <-ctx.Done():
			t.Fatal("the broker does not answer")
		case <-time.After(time.Millisecond):
		}
	}
}

// compare waits until as many commands were heard as the document says, and
// compares them.
func (p *topicTap) compare(ctx context.Context, t *harness.Turn) (bad []oracle.Violation) {
	var said []string
	for _, st := range t.Steps {
		for _, r := range st.Results {
			for _, tr := range r.Trace {
				if tr.Dir == "tx" && tr.Bus == "mqtt" {
					said = append(said, tr.Text)
				}
			}
		}
	}
	heard := p.take(ctx, len(said))
	slices.Sort(said)
	slices.Sort(heard)
	if !slices.Equal(said, heard) {
		bad = append(bad, oracle.Violation{Statement: "topic", Text: fmt.Sprintf("heard %q, the document says %q", heard, said)})
	}
	for _, h := range heard {
		if !slices.ContainsFunc(commandTopics, func(t string) bool { return strings.HasPrefix(h, t+" ") }) {
			bad = append(bad, oracle.Violation{Statement: "topic", Text: h + " is none of the car's"})
		}
	}
	return bad
}

// commandTopics are what may be written over MQTT.
var commandTopics = []string{"set/Vehicle/Cabin/Light/AmbientLight", "set/Vehicle/Cabin/Seat/Row1/DriverSide/HeatingCooling",
	"set/Vehicle/Cabin/Seat/Row1/PassengerSide/HeatingCooling"}

// take returns what was heard, once it is n messages or patience is over.
func (p *topicTap) take(ctx context.Context, n int) []string {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	for {
		p.mu.Lock()
		heard := p.heard
		if len(heard) >= n || ctx.Err() != nil {
			p.heard = nil
			p.mu.Unlock()
			return heard
		}
		p.mu.Unlock()
		select {
		case <-p.news:
		case <-ctx.Done():
		}
	}
}
