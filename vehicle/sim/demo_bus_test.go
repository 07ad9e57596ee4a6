// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"context"
	"testing"
	"time"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// TestUnknownIsTold sees a signal whose value the car does not know on the bus
// as one that is not available, never as a zero.
func TestUnknownIsTold(t *testing.T) {
	d := newDrive(t, vehicletest.NewClock(epoch), true)
	for _, name := range []string{"window_driver_position", "air_conditioning", "charge_cable_connected", "ambient_light"} {
		id := d.Car.Profile.Signal(name).ID
		was := d.live.Value(id)
		if err := d.SetState(name + "=unknown"); err != nil {
			t.Fatal(err)
		}
		if v := d.live.Value(id); !was.Known() || v.Known() {
			t.Errorf("%s is told as %v, was %v", name, v, was)
		}
		if err := d.SetByHand(name, was); err != nil {
			t.Fatal(err)
		}
		if v := d.live.Value(id); !v.Equal(was) {
			t.Errorf("%s is told as %v, not %v again", name, v, was)
		}
	}
}

// TestDemoOnBuses sends every call through the boundary and over the buses:
// each is done, and the car is then what the same call makes of one in
// process.
func TestDemoOnBuses(t *testing.T) {
	clock := vehicletest.NewClock(epoch)
	d := newDrive(t, clock, true)
	direct, err := demoWorld(t).NewCar(demoProfile(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range direct.Profile.Signals {
		if s.Status != nil && s.Status.Topic == "" && d.live.Value(s.ID).Kind() == vehicle.Unknown {
			t.Errorf("%s is not told", s.Name)
		}
	}
	do := func(c vehicle.Call) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		clock.Advance(time.Second) // rates
		if r := d.exec.Do(ctx, c); !r.OK() {
			t.Errorf("%s%v: %s %s", c.Tool, c.Args, r.Status, r.Reason)
		}
		if o := direct.Call(c.Tool, c.Args); o.Failed {
			t.Errorf("%s%v: %s", c.Tool, c.Args, o.Text())
		}
		for _, s := range direct.Profile.Signals {
			if a, b := d.Car.Get(s.Name), direct.Get(s.Name); !a.Equal(b) && b.Kind() != vehicle.Unknown {
				t.Fatalf("after %s%v: %s is %v, in process %v", c.Tool, c.Args, s.Name, a, b)
			}
		}
	}
	for _, c := range everyPlainCall() {
		do(c)
	}
	for _, c := range [][2]string{
		{"open_close_trunk_door", `{"action":"OPEN"}`}, {"open_close_trunk_door", `{"action":"CLOSE"}`},
		{"set_new_navigation", `{"route_ids":["rll_lin_ulm_770261"]}`}, {"get_current_navigation_state", `{}`},
		{"send_email", `{"content_message":"hi","email_addresses":["mara.hollenstein@example.org"]}`},
		{"get_charging_specs_and_status", `{}`}, {"get_user_preferences", `{"preference_categories":{"weather":{"weather":true}}}`},
		{"delete_current_navigation", `{}`}, {"calculate_math", `{"expression":"1+1"}`}, {"think", `{"thought":"so"}`},
		{"set_charge_limit", `{"percent":90}`}, {"open_close_charge_flap", `{"action":"OPEN"}`},
	} {
		if tool := direct.Profile.Tool(c[0]); tool != nil {
			do(vehicle.Call{Tool: c[0], Args: fit(tool, vehicle.MustJSON(c[1]))})
		}
	}
}

// fit gives the one argument of a tool that the demonstration named itself the
// name it has there.
func fit(t *vehicle.Tool, args vehicle.Value) vehicle.Value {
	if len(t.Input.Required) == 1 && args.Len() == 1 {
		return vehicle.ObjectOf(vehicle.Field{Name: t.Input.Required[0], Value: args.At(0)})
	}
	return args
}

// TestDemoInTime commands every signal that can be commanded to the far end of
// what it can be: it gets there before its deadline, and not at once.
func TestDemoInTime(t *testing.T) {
	clock := vehicletest.NewClock(epoch)
	d := newDrive(t, clock, false)
	if err := d.SetState("charge_cable_connected=true"); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range d.Car.Profile.Signals {
		if s.Command == nil {
			continue
		}
		n++
		target := far(s, d.Car.Get(s.Name))
		epoch, _ := d.wall.Epoch()
		clock.Advance(time.Second) // rates
		if _, err := d.wall.Write(t.Context(), vehicle.Command{Signal: s.ID, Value: target, Epoch: epoch}); err != nil {
			t.Errorf("%s to %v: %v", s.Name, target, err)
			continue
		}
		if s.Reached(d.live.Value(s.ID), target) {
			t.Errorf("%s was %v at once", s.Name, target)
		}
		settle := s.Settle
		if settle == 0 {
			settle = vehicle.DefaultSettle
		}
		clock.Advance(settle)
		if got := d.live.Value(s.ID); !s.Reached(got, target) {
			t.Errorf("%s is %v after %v, want %v", s.Name, got, settle, target)
		}
	}
	if n < 25 || d.Moving() {
		t.Errorf("%d signals commanded, moving: %v", n, d.Moving())
	}
}

// far is a value of the signal as far as can be from the one it has.
func far(s *vehicle.Signal, is vehicle.Value) vehicle.Value {
	switch s.Type {
	case vehicle.TypeBool:
		on, _ := is.Truth()
		return vehicle.BoolOf(!on)
	case vehicle.TypeEnum:
		for _, a := range s.Allowed {
			if a != is.String() {
				return vehicle.TextOf(a)
			}
		}
	}
	if f, _ := is.Float(); f-s.Min < s.Max-f {
		return vehicle.NumberOf(s.Max)
	}
	return vehicle.NumberOf(s.Min)
}

// TestStopOnBuses stops windows on their way: the boundary holds them, and
// they stay where they are.
func TestStopOnBuses(t *testing.T) {
	clock := vehicletest.NewClock(epoch)
	d := newDrive(t, clock, false)
	id := d.Car.Profile.Signal("window_driver_position").ID
	at, _ := d.wall.Epoch()
	if _, err := d.wall.Write(t.Context(), vehicle.Command{Signal: id, Value: vehicle.NumberOf(100), Epoch: at}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(2 * time.Second)
	on, _ := d.live.Value(id).Float()
	if _, err := d.wall.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	clock.Advance(5 * time.Second)
	if got, _ := d.live.Value(id).Float(); got < on || got > on+2 || got > 90 || d.Moving() {
		t.Fatalf("stopped at %g %%, stands at %g %%", on, got)
	}
}
