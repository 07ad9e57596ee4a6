// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// What was true when the command came in is asked again before each try.
func TestEveryTryAsksTheGates(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*vehicletest.Bench)
		gate   vehicle.Gate
	}{
		{"the link is lost", func(b *vehicletest.Bench) {
			b.Exchange.SetLink("body", canbus.Link{State: canbus.LinkBusOff})
		}, vehicle.GateLink},
		{"the speed", func(b *vehicletest.Bench) {
			b.Live.Observe(b.Signal("vehicle_speed"), number(9), time.Now(), vehicle.Source{})
		}, vehicle.GateInterlock},
		{"everything was stopped", func(b *vehicletest.Bench) { _, _ = b.Boundary.Stop(context.Background()) }, vehicle.GateStop},
	} {
		t.Run(c.name, func(t *testing.T) {
			withFullBus(t, 1<<30, func(t *testing.T, b *vehicletest.Bench, bus *fullBus) {
				cmd := command(b, "trunk_door_position", text("OPEN"))
				go func() {
					time.Sleep(time.Millisecond)
					c.change(b)
					bus.mu.Lock()
					bus.left = 0
					bus.mu.Unlock()
				}()
				_, err := b.Boundary.Write(t.Context(), cmd)
				if r := refusal(t, err); r.Gate != c.gate {
					t.Fatal(r)
				}
				for _, f := range bus.got {
					if f.String() == "18FEF100#01" {
						t.Fatal("it left all the same")
					}
				}
			})
		})
	}
}

// Of two opposite commands that wait for the bus side by side one leaves.
func TestOppositeCommandsSideBySide(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		b.Bus.SlowSend(30 * time.Millisecond)
		var wg sync.WaitGroup
		write := func(signal string, v float64, call string) (err error) {
			cmd := command(b, signal, number(v))
			cmd.Call = call
			_, err = b.Boundary.Write(context.Background(), cmd)
			return err
		}
		wg.Go(func() { _ = write("fan_speed", 1, "c0") })
		synctest.Wait() // the fan's frame holds the bus
		errs := make([]error, 2)
		wg.Go(func() { errs[0] = write("window_driver_position", 40, "c1") })
		wg.Go(func() { errs[1] = write("window_driver_position", 90, "c2") })
		wg.Wait()
		if errs[0] == nil {
			errs[0], errs[1] = errs[1], errs[0]
		}
		if r := refusal(t, errs[0]); r.Gate != vehicle.GateConflict || errs[1] != nil {
			t.Fatal(errs)
		}
	})
}

// What a full queue did not take is not under way: another call may command
// the opposite at once.
func TestFullQueueLeavesNothingUnderWay(t *testing.T) {
	withFullBus(t, 1000, func(t *testing.T, b *vehicletest.Bench, bus *fullBus) {
		_, err := b.Boundary.Write(t.Context(), command(b, "window_driver_position", number(80)))
		if r := refusal(t, err); r.Gate != vehicle.GateLink {
			t.Fatal(r)
		}
		if n := b.Boundary.Stats().UnderWay; n != 0 {
			t.Errorf("%d commands are under way", n)
		}
		bus.mu.Lock()
		bus.left = 0
		bus.mu.Unlock()
		other := command(b, "window_driver_position", number(0))
		other.Call = "c2"
		if _, err := b.Boundary.Write(t.Context(), other); err != nil {
			t.Error(err)
		}
	})
}

// A frame that another node sent long ago says nothing about now: what is
// observed does.
func TestOldFrameOfAnotherNodeIsNoBase(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		f, _ := canbus.ParseFrame("110#1055")
		if err := b.Exchange.Join("body").Send(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		b.Car.Set("air_conditioning", vehicle.BoolOf(false))
		time.Sleep(time.Second)
		sent, err := b.Boundary.Write(t.Context(), command(b, "fan_speed", number(3)))
		if err != nil || sent.Text != "110#0300" {
			t.Fatalf("sent %s: %v", sent.Text, err)
		}
	})
}
