// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func TestReads(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		b.Car.Set("window_driver_position", number(25))
		b.Car.Set("vehicle_speed", number(100))
		time.Sleep(time.Second)
		for _, c := range []struct{ tool, args, want string }{
			{"get_window_positions", `{}`, `{"window_driver_position":25,"window_passenger_position":0}`},
			{"get_vehicle", `{"note":"x"}`, `{"drive":{"gear":"P","speed":62.137119,"speed_text":"100.0 km/h"},"kind":"test car","note":"x"}`},
			{"get_vehicle", `{}`, `{"drive":{"gear":"P","speed":62.137119,"speed_text":"100.0 km/h"},"kind":"test car","note":"none"}`},
		} {
			r := b.Executor.Do(t.Context(), call(c.tool, c.args))
			if r.Status != vehicle.Done || r.Value.Canonical() != c.want {
				t.Fatalf("%s %s: %s %s, want %s", c.tool, c.args, r.Status, r.Value.Canonical(), c.want)
			}
		}
	})
}

func TestReadsAreNullWhenStale(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		b.Car.Mute("gear", true)
		time.Sleep(2 * time.Second)
		b.Live.Observe(b.Signal("gear"), vehicle.TextOf("D"), time.Now(), vehicle.Source{})
		r := b.Executor.Do(t.Context(), call("get_vehicle", `{}`))
		if want := `{"drive":{"gear":"D","speed":null,"speed_text":null},"kind":"test car","note":"none"}`; r.Status != vehicle.Done || r.Value.Canonical() != want {
			t.Fatalf("%s %s, want %s", r.Status, r.Value.Canonical(), want)
		}
		time.Sleep(2 * time.Second)
		r = b.Executor.Do(t.Context(), call("get_vehicle", `{}`))
		if r.Status != vehicle.Failed || !strings.Contains(r.Reason, "vehicle_speed was last observed 4") {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
	})
}

// navigation is a service with a state of its own.
type navigation struct {
	result vehicle.Result
	state  []vehicle.Reading
}

func (n *navigation) Call(context.Context, vehicle.Call) vehicle.Result { return n.result }
func (n *navigation) State(context.Context, []vehicle.SignalID) ([]vehicle.Reading, error) {
	return n.state, nil
}

func TestServiceEffectsAreObserved(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		active, way := b.Signal("navigation_active"), b.Signal("waypoints")
		list := vehicle.ListOf(vehicle.TextOf("home"), vehicle.TextOf("x"))
		nav := &navigation{result: vehicle.Result{Status: vehicle.Done}, state: []vehicle.Reading{{active, vehicle.BoolOf(true)}, {way, list},
			{b.Signal("vehicle_speed"), number(0)}}}
		b.Services["navigation"] = nav
		seen := b.Live.Get(b.Signal("vehicle_speed")).Count
		set := call("set_navigation", `{"to":"x"}`)
		if r := b.Executor.Do(t.Context(), set); r.Status != vehicle.Done || r.CallID != "c1" {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
		if !b.Live.Value(active).Equal(vehicle.BoolOf(true)) || !b.Live.Value(way).Equal(list) {
			t.Fatalf("observed %v and %v", b.Live.Value(active), b.Live.Value(way))
		}
		if b.Live.Get(b.Signal("vehicle_speed")).Count != seen {
			t.Fatal("a service spoke about the speed of the car")
		}

		// A service whose state contradicts it is not believed.
		nav.state = []vehicle.Reading{{active, vehicle.BoolOf(false)}}
		if r := b.Executor.Do(t.Context(), set); r.Status != vehicle.Unconfirmed || !strings.Contains(r.Reason, "navigation_active is false") {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
		if b.Live.Value(way).Known() {
			t.Fatal("what the call may have changed and nobody told is still known")
		}

		// A failed call changes nothing that is known.
		nav.result = vehicle.Result{Status: vehicle.Failed, Reason: "no route"}
		if r := b.Executor.Do(t.Context(), set); r.Status != vehicle.Failed || !b.Live.Value(active).Known() {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
		nav.result = vehicle.Result{}
		if r := b.Executor.Do(t.Context(), set); r.Status != vehicle.Failed {
			t.Fatalf("a service that says nothing: %s", r.Status)
		}

		// What a read returns is observed.
		nav.result = vehicle.Result{Status: vehicle.Done, Value: vehicle.MustJSON(`{"navigation_active":true,"waypoints":["a"]}`)}
		b.Executor.Do(t.Context(), call("get_navigation", `{}`))
		if !b.Live.Value(way).Equal(vehicle.ListOf(vehicle.TextOf("a"))) {
			t.Fatalf("observed %v", b.Live.Value(way))
		}
	})
}

func TestReadings(t *testing.T) {
	p := vehicletest.Profile()
	rs := p.Tool("get_vehicle").Readings(p, vehicle.MustJSON(`{"drive":{"speed":62.137119,"speed_text":"100.0 km/h","gear":null}}`))
	if len(rs) != 3 || !rs[0].Value.Equal(number(100)) || !rs[1].Value.Equal(number(100)) || rs[2].Value.Known() {
		t.Fatalf("read %v", rs)
	}
}

func TestExecutorLive(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		time.Sleep(time.Second)
		st := vehicle.NewState(len(b.Profile.Signals))
		b.Executor.Live(st)
		if !st[b.Signal("gear")].Equal(vehicle.TextOf("P")) || st[b.Signal("waypoints")].Known() {
			t.Fatalf("state %v", st)
		}
		b.Executor.Live(st[:3]) // a shorter state gets what fits
	})
}
