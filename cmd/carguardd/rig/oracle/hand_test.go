// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/rig/oracle"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// knob is something that a hand, a foot or the world changes, with the values
// that it takes, as JSON.
type knob struct {
	signal string
	values []string
}

var knobs = []knob{
	{"window_driver_position", []string{"0", "10", "20", "21", "25", "60", "100"}},
	{"window_passenger_position", []string{"0", "10", "20", "21", "25", "60", "100"}},
	{"window_driver_rear_position", []string{"0", "20", "21", "100"}},
	{"window_passenger_rear_position", []string{"0", "20", "21", "100"}},
	{"sunroof_position", []string{"0", "30", "100"}},
	{"sunshade_position", []string{"0", "50", "99", "100"}},
	{"trunk_door_position", []string{`"open"`, `"closed"`}},
	{"fog_lights", []string{"true", "false"}},
	{"head_lights_low_beams", []string{"true", "false"}},
	{"head_lights_high_beams", []string{"true", "false"}},
	{"air_conditioning", []string{"true", "false"}},
	{"fan_speed", []string{"0", "0", "1", "2", "5"}},
	{"fan_airflow_direction", []string{`"FEET"`, `"HEAD"`, `"HEAD_FEET"`, `"WINDSHIELD"`, `"WINDSHIELD_FEET"`}},
	{"window_front_defrost", []string{"true", "false"}},
	{"climate_temperature_driver", []string{"16", "19.5", "22", "28"}},
	{"climate_temperature_passenger", []string{"16", "19", "23", "28"}},
	{"vehicle_speed", []string{"0", "0", "0", "50", "140"}},
	{"selected_gear", []string{`"PARK"`, `"PARK"`, `"PARK"`, `"DRIVE"`}},
	{"ignition", []string{`"ON"`, `"ON"`, `"ON"`, `"ACC"`, `"OFF"`}},
	{"is_charging", []string{"true", "false"}},
	{"charge_flap", []string{`"open"`, `"closed"`}},
	{"charge_limit", []string{"60", "80", "100"}},
	{"charge_cable_connected", []string{"true", "false"}},
	{"ambient_light", []string{`"OFF"`, `"RED"`}},
	{"seat_heating_driver", []string{"0", "2"}},
}

// unknowable are signals that an ECU may for once not know.
var unknowable = []string{"window_driver_rear_position", "sunshade_position", "air_conditioning", "fan_speed", "fan_airflow_direction",
	"head_lights_low_beams", "head_lights_high_beams", "fog_lights", "charge_cable_connected", "is_charging"}

// hands change the simulated car from outside of the assistant.
type hands struct {
	t     testing.TB
	rig   *rig.Rig
	clock *vehicletest.Clock
	r     *rand.Rand
}

// turn turns one knob, or makes a signal unknown until it is set again.
func (h hands) turn() {
	if h.r.IntN(12) == 0 {
		h.set(pick(h.r, unknowable), vehicle.Value{})
		return
	}
	k := pick(h.r, knobs)
	h.set(k.signal, vehicle.MustJSON(pick(h.r, k.values)))
}

// set gives a signal a value and returns when the assistant can see it: on a
// topic that takes a moment.
func (h hands) set(signal string, v vehicle.Value) {
	b := h.rig.Bench
	if !v.Known() {
		if err := b.SetState(signal + "=unknown"); err != nil {
			h.t.Fatal(err)
		}
		return
	}
	if err := b.SetByHand(signal, v); err != nil {
		h.t.Fatal(err)
	}
	s := b.Car.Profile.Signal(signal)
	if s.Status == nil || s.Status.Topic == "" {
		return
	}
	ctx, end := context.WithTimeout(context.Background(), patience)
	defer end()
	if err := h.rig.System.Live.Wait(ctx, s.ID, v.Equal); err != nil {
		h.t.Fatalf("%s was set to %v by hand and nobody saw it: %v", signal, v, err)
	}
}

// patience is how long, on the clock of the wall, anything may take.
const patience = 20 * time.Second

// places are where the car may be: by sun, rain, fog, snow and thunder.
var places = []string{"loc_lin_545923", "loc_bre_895415", "loc_kon_560939", "loc_rav_545447", "loc_ulm_113708", "loc_inn_478998", "loc_gal_395936",
	"loc_chu_955977", "loc_zür_910207"}

// travel puts the car somewhere else or at another hour; in the beginning also
// with or without a navigation under way. Later that changes by calls alone:
// nothing tells the assistant what was done on the screen.
func (h hands) travel(begin bool) {
	c := h.rig.Bench.Car
	doc := vehicle.ObjectOf()
	n := 2
	if begin {
		n = 3
	}
	switch h.r.IntN(n) {
	case 0:
		id := pick(h.r, places)
		for i := range c.Data.Places {
			if p := &c.Data.Places[i]; p.ID == id {
				doc = doc.With("current_location", vehicle.ObjectOf(vehicle.Field{Name: "id", Value: vehicle.TextOf(p.ID)},
					vehicle.Field{Name: "name", Value: vehicle.TextOf(p.Name)}))
			}
		}
	case 1:
		now := c.Surroundings().Now
		now.Hour = h.r.IntN(24)
		doc = doc.With("current_datetime", now.Value())
	case 2:
		doc = h.navigation()
	}
	if err := c.Init(doc); err != nil {
		h.t.Fatal(err)
	}
}

// navigation is one that was set before, or none.
func (h hands) navigation() vehicle.Value {
	list := func(l ...string) vehicle.Value {
		out := vehicle.ListOf()
		for _, s := range l {
			out = out.Append(vehicle.TextOf(s))
		}
		return out
	}
	n := h.r.IntN(3)
	stops := []vehicle.Value{list(), list("loc_lin_545923", "loc_ulm_113708"), list("loc_lin_545923", "loc_fri_435524", "loc_rav_545447")}
	return vehicle.ObjectOf(vehicle.Field{Name: "navigation_active", Value: vehicle.BoolOf(n > 0)},
		vehicle.Field{Name: "waypoints_id", Value: stops[n]},
		vehicle.Field{Name: "routes_to_final_destination_id", Value: list()})
}

// place is where and when the car is, and what weather is reported for it.
func (h hands) place() oracle.Place {
	c := h.rig.Bench.Car
	s := c.Surroundings()
	id, _ := s.Here.Member("id")
	p := oracle.Place{Month: s.Now.Month, Day: s.Now.Day, Hour: s.Now.Hour}
	p.ID, _ = id.Text()
	slots := c.Data.Weather[p.ID]
	if len(slots) == 8 {
		cond, _ := slots[p.Hour/3].Member("condition")
		p.Weather, _ = cond.Text()
	}
	return p
}
