// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func TestFramesThatLeave(t *testing.T) {
	for _, c := range []struct {
		name   string
		setup  func(*vehicletest.Bench)
		signal string
		value  vehicle.Value
		want   string
	}{
		{"the rest is idle", nil, "window_driver_position", number(25), "100#19FF"},
		{"an extended identifier", nil, "trunk_door_position", text("OPEN"), "18FEF100#01"},
		{"the rest is what is observed", func(b *vehicletest.Bench) {
			b.Car.Set("air_conditioning", vehicle.BoolOf(true))
			time.Sleep(time.Second)
		}, "fan_speed", number(3), "110#1300"},
		{"the rest is what is under way", func(b *vehicletest.Bench) {
			b.Car.Script("air_conditioning", vehicletest.Script{Ignore: true})
			if _, err := b.Boundary.Write(context.Background(), command(b, "air_conditioning", vehicle.BoolOf(true))); err != nil {
				panic(err)
			}
		}, "fan_speed", number(3), "110#1300"},
		{"the rest is what another node sends", func(b *vehicletest.Bench) {
			f, _ := canbus.ParseFrame("110#1055") // with bits that no signal has
			if err := b.Exchange.Join("body").Send(context.Background(), f); err != nil {
				panic(err)
			}
			synctest.Wait()
		}, "fan_speed", number(3), "110#1355"},
		{"opening with ignition off", func(b *vehicletest.Bench) {
			b.Car.Set("ignition", vehicle.BoolOf(false))
			time.Sleep(time.Second)
		}, "window_driver_position", number(50), "100#32FF"},
		{"stop is guarded by no target", func(b *vehicletest.Bench) {
			b.Car.Set("vehicle_speed", number(42))
			time.Sleep(time.Second)
		}, "trunk_door_position", text("STOPPED"), "18FEF100#03"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				if c.setup != nil {
					c.setup(b)
				}
				sent, err := b.Boundary.Write(t.Context(), command(b, c.signal, c.value))
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				got := b.Car.Received()
				if sent.Text != c.want || sent.Bus != "body" || got[len(got)-1].String() != c.want {
					t.Fatalf("sent %s, received %v, want %s", sent.Text, got, c.want)
				}
			})
		})
	}
}

func TestTopicThatLeaves(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		sent, err := b.Boundary.Write(t.Context(), command(b, "ambient_light", text("BLUE")))
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Broker.Received(); len(got) != 1 || got[0] != (vehicletest.Message{Topic: "set/ambient_light", Payload: "blue"}) || sent.Text != "set/ambient_light blue" {
			t.Fatalf("sent %s, received %v", sent.Text, got)
		}
	})
}

// A speed that crosses the limit after everything was decided is seen by the
// goroutine that sends.
func TestInterlockIsAskedRightBeforeTheFrame(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		cmd := command(b, "trunk_door_position", text("OPEN"))
		cmd.Guard = func(vehicle.Command) error {
			b.Car.Set("vehicle_speed", number(3))
			time.Sleep(150 * time.Millisecond) // a status frame comes in
			return nil
		}
		if err := b.Boundary.Check(cmd); err != nil {
			t.Fatalf("not allowed to begin with: %v", err)
		}
		_, err := b.Boundary.Write(t.Context(), cmd)
		if r := refusal(t, err); r.Gate != vehicle.GateInterlock || len(b.Car.Received()) != 0 {
			t.Fatalf("%v, received %v", err, b.Car.Received())
		}
	})
}
