// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// What the bus returned decides whether the command may be under way.
func TestFailedWrites(t *testing.T) {
	for _, c := range []struct {
		name     string
		mqtt     boundary.Publisher
		fail     bool
		signal   string
		value    vehicle.Value
		refused  bool // it is certain that nothing left
		underWay int
	}{
		{name: "the bus says nothing more", fail: true, signal: "fan_speed", value: number(2), underWay: 1},
		{name: "the broker is gone", mqtt: slowPublisher{err: fmt.Errorf("publish: %w", boundary.ErrNotSent)}, signal: "ambient_light", value: text("RED"), refused: true},
		{name: "the broker does not confirm", mqtt: slowPublisher{takes: time.Hour}, signal: "ambient_light", value: text("RED"), underWay: 1},
		{name: "the broker takes its time", mqtt: slowPublisher{takes: time.Second}, signal: "ambient_light", value: text("RED"), underWay: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				b.Bus.FailSent(func(canbus.Frame) bool { return c.fail })
				bd, err := boundary.New(boundary.Config{Live: b.Live, Clock: b.Clock, Buses: map[string]boundary.Bus{"body": b.Bus}, MQTT: c.mqtt})
				if err != nil {
					t.Fatal(err)
				}
				defer bd.Close()
				start := time.Now()
				sent, err := bd.Write(t.Context(), command(b, c.signal, c.value))
				var r *vehicle.Refusal
				if errors.As(err, &r) != c.refused || (r != nil && r.Gate != vehicle.GateLink) {
					t.Fatalf("got %v", err)
				}
				if time.Since(start) > 2*time.Second {
					t.Fatalf("took %v", time.Since(start))
				}
				if n := bd.Stats().UnderWay; n != c.underWay {
					t.Fatalf("%d commands are under way, want %d", n, c.underWay)
				}
				if !c.refused && (sent.Text == "" || sent.End == nil) {
					t.Fatalf("sent is %+v", sent)
				}
			})
		})
	}
}

// A caller that goes away takes back what has not left.
func TestWriteOfAnEndedContext(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("the turn is over"))
		_, err := b.Boundary.Write(ctx, command(b, "fan_speed", number(2)))
		if r := refusal(t, err); r.Evidence != "the turn is over" || len(b.Car.Received()) != 0 {
			t.Fatal(err)
		}
	})
}
