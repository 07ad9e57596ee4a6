// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"os"
	"testing"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

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
