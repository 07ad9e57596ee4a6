// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// onBench runs f in a bubble where time passes only while everybody waits.
func onBench(t *testing.T, f func(t *testing.T, b *vehicletest.Bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := vehicletest.NewBench(vehicle.NewSystemClock())
		defer b.Close()
		f(t, b)
	})
}

// rest is long enough for everything to stand still, and ends between two
// status frames of the car.
const rest = 2010 * time.Millisecond

func call(tool, args string) vehicle.Call {
	return vehicle.Call{ID: "c1", Tool: tool, Args: vehicle.MustJSON(args)}
}

func at(f float64) *float64 { return &f }

func number(f float64) vehicle.Value { return vehicle.NumberOf(f) }

func TestExecutionOutcomes(t *testing.T) {
	says := map[string]vehicle.Value{"window_driver_state": vehicle.TextOf("BLOCKED")}
	for _, c := range []struct {
		name   string
		signal string
		script vehicletest.Script
		setup  func(*vehicletest.Bench)
		call   vehicle.Call
		want   vehicle.Status
		reason string // is in the reason
		within time.Duration
		after  time.Duration
	}{
		{name: "reached", call: call("open_close_window", `{"window":"DRIVER","percentage":50}`), want: vehicle.Done, within: 1100 * time.Millisecond},
		{name: "reached at once", call: call("set_fan_speed", `{"level":3}`), want: vehicle.Done, within: 200 * time.Millisecond},
		{name: "an enum that moves", call: call("open_close_trunk_door", `{"action":"OPEN"}`), want: vehicle.Done, within: 200 * time.Millisecond},
		{name: "over mqtt", call: call("set_ambient_light", `{"color":"RED"}`), want: vehicle.Done, within: time.Millisecond},
		{name: "blocked on its way", signal: "window_driver_position", script: vehicletest.Script{BlockAt: at(30)},
			call: call("open_close_window", `{"window":"DRIVER","percentage":80}`), want: vehicle.Failed, reason: "blocked: it stands at 30 %, not 80 %", within: 2700 * time.Millisecond, after: 2500 * time.Millisecond},
		{name: "blocked and it says so", signal: "window_driver_position", script: vehicletest.Script{BlockAt: at(30), Says: says},
			call: call("open_close_window", `{"window":"DRIVER","percentage":80}`), want: vehicle.Failed, reason: "window_driver_state = BLOCKED", within: 700 * time.Millisecond},
		{name: "refused by the control unit", signal: "window_driver_position", script: vehicletest.Script{Ignore: true, Says: says},
			call: call("open_close_window", `{"window":"DRIVER","percentage":80}`), want: vehicle.Failed, reason: "window_driver_state = BLOCKED", within: 100 * time.Millisecond},
		{name: "ignored movement", signal: "window_driver_position", script: vehicletest.Script{Ignore: true},
			call: call("open_close_window", `{"window":"DRIVER","percentage":80}`), want: vehicle.Failed, reason: "blocked: it stands at 0 %", within: 2100 * time.Millisecond},
		{name: "ignored setting", signal: "fan_speed", script: vehicletest.Script{Ignore: true},
			call: call("set_fan_speed", `{"level":3}`), want: vehicle.Unconfirmed, reason: "fan_speed is 0 after 1s, not 3", within: time.Second, after: time.Second},
		{name: "reversed", signal: "window_driver_position", script: vehicletest.Script{ReverseAt: at(60)},
			setup: func(b *vehicletest.Bench) { b.Car.Set("window_driver_position", number(100)) },
			call:  call("open_close_window", `{"window":"DRIVER","percentage":0}`), want: vehicle.Failed, reason: "reversed: it ran from 60 % back to 65 %", within: time.Second},
		{name: "silent", signal: "window_driver_position", script: vehicletest.Script{Silent: true},
			call: call("open_close_window", `{"window":"DRIVER","percentage":50}`), want: vehicle.Unconfirmed, reason: "no status came within 8s", within: 8 * time.Second, after: 8 * time.Second},
		{name: "out of the signal's range", call: call("set_climate", `{"level":6,"on":true}`), want: vehicle.Refused, reason: "refused by range: fan_speed: 6 is outside 0..5"},
		{name: "against the schema", call: call("set_fan_speed", `{"level":9}`), want: vehicle.Failed, reason: "argument level"},
		{name: "no such tool", call: call("open_bonnet", `{}`), want: vehicle.Failed, reason: `no tool "open_bonnet"`},
		{name: "undeclared write", call: call("undeclared", `{}`), want: vehicle.Failed, reason: "declares no effect"},
		{name: "service gone", call: call("set_navigation", `{"to":"x"}`), want: vehicle.Failed, reason: "service navigation is not connected"},
		{name: "noop", call: call("think", `{}`), want: vehicle.Done},
		{name: "arguments that are no object", call: vehicle.Call{Tool: "set_fan_speed", Raw: "{"}, want: vehicle.Failed, reason: "no object"},
		{name: "interlock", setup: func(b *vehicletest.Bench) { b.Car.Set("vehicle_speed", number(42)) },
			call: call("open_close_trunk_door", `{"action":"OPEN"}`), want: vehicle.Refused, reason: "refused by interlock trunk-at-standstill: vehicle_speed = 42 km/h > 0"},
		{name: "an effect that the first effect allows", call: call("open_roof", `{"percentage":50}`), want: vehicle.Done, within: 3200 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				if c.signal != "" {
					b.Car.Script(c.signal, c.script)
				}
				if c.setup != nil {
					c.setup(b)
				}
				time.Sleep(rest)
				begin := time.Now()
				r := b.Executor.Do(t.Context(), c.call)
				took := time.Since(begin)
				if r.Status != c.want || !strings.Contains(r.Reason, c.reason) || (c.reason == "") != (r.Reason == "") {
					t.Fatalf("%s: %s, want %s with %q", r.Status, r.Reason, c.want, c.reason)
				}
				if took < c.after || took > c.within {
					t.Errorf("took %v, want %v to %v", took, c.after, c.within)
				}
				if (r.Status == vehicle.Refused) != (r.Refusal != nil) {
					t.Errorf("refusal is %v", r.Refusal)
				}
				if r.CallID != c.call.ID || r.Tool != c.call.Tool || r.At.IsZero() {
					t.Errorf("result is labelled %+v", r)
				}
			})
		})
	}
}

func TestExecutionTrace(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		time.Sleep(rest)
		r := b.Executor.Do(t.Context(), call("open_close_window", `{"window":"ALL","percentage":10}`))
		var got []string
		for _, x := range r.Trace {
			got = append(got, x.Dir+" "+x.Bus+" "+x.Text+" "+x.Signal)
		}
		want := []string{
			"tx body 100#0AFF window_driver_position",
			"tx body 100#FF0A window_passenger_position",
			"rx body 101#0A0A00 window_driver_position",
			"rx body 101#0A0A00 window_passenger_position",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("trace is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if s := r.Value.Canonical(); s != `{"window_driver_position":10,"window_passenger_position":10}` {
			t.Fatalf("value is %s", s)
		}

		// What already is where it is wanted is not sent again.
		time.Sleep(rest)
		r = b.Executor.Do(t.Context(), call("open_close_window", `{"window":"ALL","percentage":10}`))
		if r.Status != vehicle.Done || len(r.Trace) != 2 || r.Trace[0].Dir != "rx" || len(b.Car.Received()) != 2 {
			t.Fatalf("a call without effect: %s, trace %v", r.Status, r.Trace)
		}
	})
}

func TestStaleIsNotAlreadyThere(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		time.Sleep(time.Second)
		b.Car.Mute("window_driver_position", true)
		time.Sleep(rest)
		r := b.Executor.Do(t.Context(), call("open_close_window", `{"window":"DRIVER","percentage":0}`))
		// Closing or not is not known either, so the interlock counts; the ignition is on.
		if r.Status != vehicle.Unconfirmed || len(b.Car.Received()) != 1 {
			t.Fatalf("%s: %s, %d frames", r.Status, r.Reason, len(b.Car.Received()))
		}
	})
}

func TestMovingThroughTheTargetIsNotThere(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		time.Sleep(rest)
		go b.Executor.Do(t.Context(), call("open_close_window", `{"window":"DRIVER","percentage":100}`))
		if err := b.Live.Wait(t.Context(), b.Signal("window_driver_position"), number(50).Equal); err != nil {
			t.Fatal(err)
		}
		c := call("open_close_window", `{"window":"DRIVER","percentage":50}`)
		c.ID = "c2"
		if r := b.Executor.Do(t.Context(), c); r.Status != vehicle.Refused || r.Refusal.Gate != vehicle.GateConflict {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
	})
}

func TestPartsAreSentTogether(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		time.Sleep(rest)
		begin := time.Now()
		r := b.Executor.Do(t.Context(), call("open_close_window", `{"window":"ALL","percentage":100}`))
		if took := time.Since(begin); r.Status != vehicle.Done || took > 2200*time.Millisecond {
			t.Fatalf("%s after %v: both windows take 2 s if they move together", r.Status, took)
		}
	})
}

func TestHalfRefusedSendsNothing(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		b.Car.Set("window_driver_position", number(20))
		b.Car.Set("ignition", vehicle.BoolOf(false))
		time.Sleep(rest)
		// Opening the passenger's is allowed, closing the driver's is not.
		r := b.Executor.Do(t.Context(), call("open_close_window", `{"window":"ALL","percentage":10}`))
		if r.Status != vehicle.Refused || r.Refusal.Gate != vehicle.GateInterlock || len(b.Car.Received()) != 0 {
			t.Fatalf("%s: %s, %d frames", r.Status, r.Reason, len(b.Car.Received()))
		}
	})
}

func TestStopEndsTheCall(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		time.Sleep(rest)
		ctx := b.Executor.Begin(t.Context(), nil)
		var wg sync.WaitGroup
		var r vehicle.Result
		wg.Go(func() {
			r = b.Executor.Do(ctx, call("open_close_window", `{"window":"DRIVER","percentage":100}`))
		})
		if err := b.Live.Wait(t.Context(), b.Signal("window_driver_position"), number(50).Equal); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if err := b.Executor.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		if took := time.Since(begin); r.Status != vehicle.Stopped || took > 100*time.Millisecond {
			t.Fatalf("%s: %s, after %v", r.Status, r.Reason, took)
		}
		time.Sleep(5 * time.Second)
		if v := b.Car.Get("window_driver_position"); !v.Equal(number(50)) {
			t.Fatalf("the window went on to %v", v)
		}
		if r := b.Executor.Do(ctx, call("open_close_window", `{"window":"DRIVER","percentage":100}`)); r.Status != vehicle.Stopped {
			t.Fatalf("the stopped turn moved on: %s", r.Status)
		}
		if r := b.Executor.Do(ctx, call("set_fan_speed", `{"level":1}`)); r.Status != vehicle.Done {
			t.Fatalf("what does not move is not affected: %s %s", r.Status, r.Reason)
		}
		if r := b.Executor.Do(b.Executor.Begin(t.Context(), nil), call("open_close_window", `{"window":"DRIVER","percentage":60}`)); r.Status != vehicle.Done {
			t.Fatalf("the next turn cannot move: %s %s", r.Status, r.Reason)
		}
	})
}

func TestCancelledCall(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		time.Sleep(rest)
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(300*time.Millisecond, func() { cancel(errors.New("the driver left")) })
		r := b.Executor.Do(ctx, call("open_close_window", `{"window":"DRIVER","percentage":100}`))
		if r.Status != vehicle.Unconfirmed || !strings.Contains(r.Reason, "the driver left") {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
		n := len(b.Car.Received())
		if r := b.Executor.Do(ctx, call("set_fan_speed", `{"level":1}`)); r.Status != vehicle.Failed || len(b.Car.Received()) != n {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
	})
}

func TestGuardIsAskedBeforeEachFrame(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		time.Sleep(rest)
		asked := 0
		ctx := b.Executor.Begin(t.Context(), func(c vehicle.Command) error {
			if asked++; asked == 2 {
				return errors.New("the consent has lapsed")
			}
			return nil
		})
		r := b.Executor.Do(ctx, call("open_close_window", `{"window":"ALL","percentage":10}`))
		// One window left, so this is no refusal: a part of it happened.
		if r.Status != vehicle.Failed || r.Refusal == nil || r.Refusal.Gate != vehicle.GateConsent || len(b.Car.Received()) != 1 {
			t.Fatalf("%s: %s, %d frames", r.Status, r.Reason, len(b.Car.Received()))
		}
		if v := b.Car.Get("window_driver_position"); !v.Equal(number(10)) {
			t.Fatalf("the window that left was not waited for: it is at %v", v)
		}
		ctx = b.Executor.WithGuard(b.Executor.Begin(t.Context(), nil), func(vehicle.Command) error { return errors.New("no") })
		if r := b.Executor.Do(ctx, call("set_fan_speed", `{"level":2}`)); r.Status != vehicle.Refused {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
	})
}

func TestLostBus(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		time.Sleep(rest)
		b.Exchange.SetLink("body", canbus.Link{State: canbus.LinkBusOff, Cause: "bus-off"})
		r := b.Executor.Do(t.Context(), call("set_fan_speed", `{"level":2}`))
		if r.Status != vehicle.Refused || r.Refusal.Gate != vehicle.GateLink {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
		if r := b.Executor.Do(t.Context(), call("get_window_positions", `{}`)); r.Status != vehicle.Failed || !strings.Contains(r.Reason, "was last observed") {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
		b.Exchange.SetLink("body", canbus.Link{State: canbus.LinkUp})
		time.Sleep(5 * time.Second)
		if n := len(b.Car.Received()); n != 0 {
			t.Fatalf("%d old commands left after the bus came back", n)
		}
		if r := b.Executor.Do(t.Context(), call("set_fan_speed", `{"level":2}`)); r.Status != vehicle.Done {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
	})
}

// A bus that does not say whether it took the frame is not believed either
// way: the status decides.
func TestDoubtfulWrite(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		time.Sleep(rest)
		b.Bus.FailSent(func(canbus.Frame) bool { return true })
		r := b.Executor.Do(t.Context(), call("set_fan_speed", `{"level":2}`))
		if r.Status != vehicle.Unconfirmed || !strings.Contains(r.Reason, "fan_speed is 0 after 1s, not 2") || !strings.Contains(r.Reason, "injected fault") {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
		time.AfterFunc(500*time.Millisecond, func() { b.Car.Set("fan_speed", number(3)) })
		if r := b.Executor.Do(t.Context(), call("set_fan_speed", `{"level":3}`)); r.Status != vehicle.Done || r.Reason != "" {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
	})
}

func TestPanicInAServiceIsAFailure(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		b.Services["navigation"] = serviceFunc(func(context.Context, vehicle.Call) vehicle.Result { panic("oops") })
		if r := b.Executor.Do(t.Context(), call("set_navigation", `{}`)); r.Status != vehicle.Failed || !strings.Contains(r.Reason, "oops") {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
	})
}

type serviceFunc func(context.Context, vehicle.Call) vehicle.Result

func (f serviceFunc) Call(ctx context.Context, c vehicle.Call) vehicle.Result { return f(ctx, c) }
