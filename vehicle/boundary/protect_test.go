// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"testing"

	"github.com/carguardd/carguardd/canbus/e2e"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// protectClimate gives the climate command a counter in its bits 5 to 7 and a
// sum in its second byte, and sends over a bus that takes no frame n times.
func protectClimate(t *testing.T, b *vehicletest.Bench, n int) *fullBus {
	t.Helper()
	m, _ := b.Profile.Buses[0].DB.Message("ClimateCommand")
	a, err := e2e.Standard().New("sum8", e2e.Config{Key: m.Key, Length: m.Length,
		Counter: e2e.Field{Start: 5, Length: 3}, Check: e2e.Field{Start: 8, Length: 8}})
	if err != nil {
		t.Fatal(err)
	}
	b.Profile.Buses[0].Protected = []*vehicle.Protection{{Message: m, Name: "sum8", Algorithm: a}}
	bus := &fullBus{Bus: b.Bus, left: n}
	if b.Boundary, err = boundary.New(boundary.Config{Live: b.Live, Clock: b.Clock, Buses: map[string]boundary.Bus{"body": bus}, MQTT: b.Broker}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Boundary.Close)
	return bus
}

// A frame that did not leave used up no counter: the receiver would count it as
// lost.
func TestCounterOfFramesThatLeft(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		bus := protectClimate(t, b, 3)
		for i, want := range []string{"110#0303", "110#2424", "110#4242"} {
			sent, err := b.Boundary.Write(t.Context(), command(b, "fan_speed", number([]float64{3, 4, 2}[i])))
			if err != nil || sent.Text != want || bus.got[i].String() != want {
				t.Fatalf("sent %s, the bus got %v, want %s: %v", sent.Text, bus.got, want, err)
			}
			if err := b.Boundary.Check(command(b, "fan_speed", number(1))); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A frame of the command line gets counter and sum anew, and only those.
func TestSentFrameIsProtectedAnew(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		protectClimate(t, b, 0)
		sent, err := b.Boundary.SendFrame(t.Context(), "body", frame(t, "110#E3FF"))
		if err != nil || sent.Text != "110#0303" {
			t.Fatalf("sent %s: %v", sent.Text, err)
		}
	})
}

// The rest of a frame is not taken from one that nobody may believe.
func TestForgedFrameIsNoBase(t *testing.T) {
	for _, c := range []struct{ name, frame, want string }{
		{"a good one", "110#1010", "110#1313"}, // with the air conditioning on
		{"a wrong sum", "110#1011", "110#0303"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				protectClimate(t, b, 0)
				if err := b.Exchange.Join("body").Send(t.Context(), frame(t, c.frame)); err != nil {
					t.Fatal(err)
				}
				sent, err := b.Boundary.Write(t.Context(), command(b, "fan_speed", number(3)))
				if err != nil || sent.Text != c.want {
					t.Fatalf("sent %s, want %s: %v", sent.Text, c.want, err)
				}
			})
		})
	}
}
