// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"testing"
	"time"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// An interlock may be for one direction, for some values, or for all.
func TestWhatAnInterlockGuards(t *testing.T) {
	at := func(v float64) func(*vehicletest.Bench) {
		return func(b *vehicletest.Bench) { b.Car.Set("window_driver_position", number(v)); time.Sleep(time.Second) }
	}
	unseen := func(b *vehicletest.Bench) { b.Car.Mute("window_driver_position", true); time.Sleep(3 * time.Second) }
	for _, c := range []struct {
		name    string
		lock    vehicle.Interlock
		setup   func(*vehicletest.Bench)
		to      float64
		refused bool
	}{
		{"opening, it opens", vehicle.Interlock{Opening: true}, at(40), 50, true},
		{"opening, it closes", vehicle.Interlock{Opening: true}, at(40), 30, false},
		{"opening, it stays", vehicle.Interlock{Opening: true}, at(40), 40, false},
		{"opening, from where nobody knows", vehicle.Interlock{Opening: true}, unseen, 50, true},
		{"closing, it closes", vehicle.Interlock{Closing: true}, at(40), 30, true},
		{"closing, it opens", vehicle.Interlock{Closing: true}, at(40), 50, false},
		{"closing, it stays", vehicle.Interlock{Closing: true}, at(40), 40, false},
		{"closing, from where nobody knows", vehicle.Interlock{Closing: true}, unseen, 30, true},
		{"both", vehicle.Interlock{Closing: true, Opening: true}, at(40), 30, true},
		{"this value", vehicle.Interlock{To: []vehicle.Value{number(70), number(80)}}, at(40), 80, true},
		{"another value", vehicle.Interlock{To: []vehicle.Value{number(70), number(80)}}, at(40), 75, false},
		{"any value", vehicle.Interlock{}, at(40), 40, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				c.setup(b)
				l := c.lock
				l.Name, l.Signal = "test", b.Signal("window_driver_position")
				l.Need = []vehicle.Need{{Signal: b.Signal("fan_speed"), Is: []vehicle.Value{number(5)}}}
				b.Profile.Limits.Interlocks = []vehicle.Interlock{l}
				err := b.Boundary.Check(command(b, "window_driver_position", number(c.to)))
				switch {
				case !c.refused && err != nil:
					t.Fatal(err)
				case c.refused:
					if r := refusal(t, err); r.Gate != vehicle.GateInterlock || r.Rule != "test" {
						t.Fatal(r)
					}
				}
			})
		})
	}
}

// Without a client no topic can be written.
func TestTopicWithoutAClient(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		bd, err := boundary.New(boundary.Config{Live: b.Live, Clock: b.Clock, Buses: map[string]boundary.Bus{"body": b.Bus}})
		if err != nil {
			t.Fatal(err)
		}
		defer bd.Close()
		_, err = bd.Write(t.Context(), command(b, "ambient_light", text("RED")))
		if r := refusal(t, err); r.Gate != vehicle.GateLink || r.Evidence != "no mqtt client is configured" {
			t.Fatal(r)
		}
	})
}
