// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
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
