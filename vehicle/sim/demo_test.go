// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/sim"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func demoProfile(t testing.TB) *vehicle.Profile {
	t.Helper()
	p, err := vehicle.Load(os.DirFS("../../testdata/profiles/demo-ev"), "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// calls of every plain tool, with each of the values that an argument takes.
func everyPlainCall() []vehicle.Call {
	seats := []string{"ALL", "DRIVER", "PASSENGER", "DRIVER_REAR", "PASSENGER_REAR", "RIGHT_REAR", "LEFT_REAR"}
	zones := []string{"ALL_ZONES", "DRIVER", "PASSENGER"}
	var l []vehicle.Call
	add := func(tool, format string, a ...any) {
		l = append(l, vehicle.Call{Tool: tool, Args: vehicle.MustJSON(fmt.Sprintf(format, a...))})
	}
	for i, s := range seats {
		add("open_close_window", `{"window":%q,"percentage":%d}`, s, 10*i+5)
		add("set_reading_light", `{"position":%q,"on":%v}`, s, i%2 == 0)
	}
	for i, z := range zones {
		add("set_climate_temperature", `{"temperature":%g,"seat_zone":%q}`, 18.5+float64(i), z)
		add("set_seat_heating", `{"level":%d,"seat_zone":%q}`, i+1, z)
	}
	for i, w := range []string{"ALL", "FRONT", "REAR"} {
		add("set_window_defrost", `{"on":%v,"defrost_window":%q}`, i == 0, w)
	}
	for _, d := range []string{"HEAD", "WINDSHIELD_HEAD_FEET", "FEET"} {
		add("set_fan_airflow_direction", `{"direction":%q}`, d)
	}
	for _, c := range []string{"RED", "NONE", "CYAN"} {
		add("set_ambient_lights", `{"on":true,"lightcolor":%q}`, c)
	}
	add("set_ambient_lights", `{"on":false,"lightcolor":"BLUE"}`)
	add("open_close_sunshade", `{"percentage":100}`)
	add("open_close_sunroof", `{"percentage":40}`)
	add("set_air_circulation", `{"mode":"RECIRCULATION"}`)
	add("set_air_conditioning", `{"on":true}`)
	add("set_fan_speed", `{"level":3}`)
	add("set_fog_lights", `{"on":true}`)
	add("set_head_lights_low_beams", `{"on":true}`)
	add("set_head_lights_high_beams", `{"on":true}`)
	add("set_steering_wheel_heating", `{"level":2}`)
	return l
}

// TestDemoAgreesWithInCar runs the same calls on a car of the demonstration's
// profile and on one of the recorded tool set: same fields, same results.
func TestDemoAgreesWithInCar(t *testing.T) {
	w := demoWorld(t)
	demo, err := w.NewCar(demoProfile(t))
	if err != nil {
		t.Fatal(err)
	}
	ref := sim.NewInCar(w.Data)
	p, _ := sim.InCar()
	for _, s := range p.Signals {
		if v := demo.Get(s.Name); v.Kind() != vehicle.Unknown {
			if err := ref.Set(s.Name, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	same := func(c vehicle.Call) {
		t.Helper()
		a, b := demo.Call(c.Tool, c.Args), ref.Call(c.Tool, c.Args)
		if a.Failed || !a.Value().Without("description").Equal(b.Value().Without("description")) {
			t.Errorf("%s%v\n demo %s\n ref  %s", c.Tool, c.Args, a.Text(), b.Text())
		}
		for _, s := range p.Signals {
			if !demo.Get(s.Name).Equal(ref.Get(s.Name)) {
				t.Fatalf("after %s%v: %s is %v, want %v", c.Tool, c.Args, s.Name, demo.Get(s.Name), ref.Get(s.Name))
			}
		}
	}
	reads := func() {
		t.Helper()
		for _, tool := range p.Tools {
			if tool.Access == vehicle.Read && len(tool.Returns) > 0 {
				same(vehicle.Call{Tool: tool.Name, Args: vehicle.ObjectOf()})
			}
		}
	}
	reads()
	for _, c := range everyPlainCall() {
		same(c)
	}
	reads()
	for _, tool := range p.Tools {
		if demo.Profile.Tool(tool.Name) == nil {
			t.Errorf("the demonstration lacks %s", tool.Name)
		}
	}
}

// drive is the demonstration's car on its buses, with a head unit beside it.
type drive struct {
	*sim.Bench
	clock vehicle.Clock
	exec  *vehicle.Executor
	wall  *boundary.Boundary
	live  *vehicle.Live
	xch   *canbus.Exchange
}

func newDrive(t testing.TB, clock vehicle.Clock, fast bool) *drive {
	t.Helper()
	p := demoProfile(t)
	car, err := demoWorld(t).NewCar(p)
	if err != nil {
		t.Fatal(err)
	}
	d := &drive{clock: clock, xch: &canbus.Exchange{Clock: vehicle.BusClock(clock), Sync: true}}
	topics := newTopicTable()
	d.live = vehicle.NewLive(p, clock)
	buses := map[string]boundary.Bus{}
	var ecu []sim.Bus
	for _, b := range p.Buses {
		ecu = append(ecu, sim.Bus{Name: b.Name, Bus: d.xch.Join(b.Name)})
		bus := d.xch.Join(b.Name)
		link, err := vehicle.NewCANLink(d.live, b.Name, b.DB, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(link.Attach(bus))
		buses[b.Name] = bus
	}
	states := vehicle.NewTopicLink(d.live)
	topics.heard = func(topic string, payload []byte) { states.Handle(topic, clock.Now(), payload) }
	d.Bench, err = sim.NewBench(car, sim.Config{Clock: clock, Fast: fast, Buses: ecu, Topics: topics, SetLink: d.xch.SetLink})
	if err != nil {
		t.Fatal(err)
	}
	d.wall, err = boundary.New(boundary.Config{Live: d.live, Clock: clock, Buses: buses, MQTT: topics})
	if err != nil {
		t.Fatal(err)
	}
	d.exec = vehicle.NewExecutor(vehicle.ExecutorConfig{Live: d.live, Clock: clock, Writer: d.wall, Services: d.Services()})
	if err := d.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close(); d.wall.Close() })
	return d
}

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

// TestGreenhouse runs an invented domain: nothing here was written for it.
func TestGreenhouse(t *testing.T) {
	p, err := vehicle.Load(os.DirFS("../../testdata/profiles/greenhouse"), "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.LoadWorld(os.DirFS("../../testdata/profiles/greenhouse/data"))
	if err != nil {
		t.Fatal(err)
	}
	car, err := w.NewCar(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, args, signal, want string }{
		{"set_vent", `{"bed":"ALL","opening":30}`, "vent_east_opening", "30"},
		{"set_vent", `{"bed":"WEST","opening":5}`, "vent_west_opening", "5"},
		{"set_irrigation", `{"bed":"NORTH","state":"WATER"}`, "irrigation_north", "true"},
		{"set_heater", `{"mode":"HEAT","temperature":18.5}`, "heater_temperature", "18.5"},
		{"set_heater", `{"mode":"OFF"}`, "heater", "OFF"},
	} {
		if o := car.Call(c.tool, vehicle.MustJSON(c.args)); o.Failed {
			t.Fatalf("%s%s: %s", c.tool, c.args, o.Text())
		}
		if got := car.Get(c.signal).String(); got != c.want {
			t.Fatalf("%s%s: %s is %s, want %s", c.tool, c.args, c.signal, got, c.want)
		}
	}
	if got := car.Call("get_vents", vehicle.ObjectOf()).Value().Canonical(); got != `{"shading":0,"vents":{"east":30,"north":30,"south":30,"west":5}}` {
		t.Fatalf("read: %s", got)
	}
}
