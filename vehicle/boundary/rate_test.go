// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func TestOppositeCommands(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		open, shut := command(b, "window_driver_position", number(100)), command(b, "window_driver_position", number(0))
		shut.Call = "c2"
		sent, err := b.Boundary.Write(t.Context(), open)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		_, err = b.Boundary.Write(t.Context(), shut)
		if r := refusal(t, err); r.Gate != vehicle.GateConflict || !strings.Contains(r.Evidence, "towards 100 %") {
			t.Fatal(err)
		}
		same := open
		same.Call = "c3"
		if _, err := b.Boundary.Write(t.Context(), same); err != nil {
			t.Fatalf("the same target is no conflict: %v", err)
		}
		sent.End() // of c1; c3 still waits
		_, err = b.Boundary.Write(t.Context(), shut)
		refusal(t, err)
		if b.Boundary.Stats().UnderWay != 1 {
			t.Fatalf("counted %+v", b.Boundary.Stats())
		}
		if _, err := b.Boundary.Stop(t.Context()); err != nil {
			t.Fatalf("a stop is refused: %v", err)
		}
		shut.Epoch, _ = b.Boundary.Epoch()
		if _, err := b.Boundary.Write(t.Context(), shut); err != nil {
			t.Fatalf("after the stop nothing is under way: %v", err)
		}
		time.Sleep(3 * time.Second)
		if _, err := b.Boundary.Write(t.Context(), command(b, "window_driver_position", number(60))); err != nil {
			t.Fatalf("after the target was observed nothing is under way: %v", err)
		}
		b.Car.Mute("window_driver_position", true)
		time.Sleep(9 * time.Second)
		shut.Call = "c9"
		if _, err := b.Boundary.Write(t.Context(), shut); err != nil {
			t.Fatalf("an overdue command is not under way: %v", err)
		}
	})
}

func TestRates(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		write := func() error {
			_, err := b.Boundary.Write(t.Context(), command(b, "trunk_door_position", text("OPEN")))
			return err
		}
		for range 2 {
			if err := write(); err != nil {
				t.Fatal(err)
			}
		}
		if r := refusal(t, write()); r.Gate != vehicle.GateRate || r.Evidence != "more than 2 in 10s" {
			t.Fatal(r)
		}
		time.Sleep(5 * time.Second)
		if err := write(); err != nil {
			t.Fatalf("a token is back after half the time: %v", err)
		}
		refusal(t, write())

		// The budget of the bus is for all signals together.
		time.Sleep(time.Second)
		sent := 0
		for i := range 200 {
			_, err := b.Boundary.Write(t.Context(), command(b, "fan_speed", number(float64(i%5))))
			if err == nil {
				sent++
			} else if r := refusal(t, err); r.Gate != vehicle.GateRate || r.Rule != "body" {
				t.Fatal(r)
			}
		}
		if sent != 50 {
			t.Fatalf("%d frames left at once, want 50", sent)
		}
		time.Sleep(100 * time.Millisecond)
		for i := range 6 {
			_, err := b.Boundary.Write(t.Context(), command(b, "fan_speed", number(0)))
			if (err == nil) != (i < 5) {
				t.Fatalf("write %d after a tenth of a second: %v", i, err)
			}
		}
	})
}
