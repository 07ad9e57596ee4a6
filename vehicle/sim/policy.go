// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// trail is the calls of a conversation as the automatic policy checks see
// them: message by message, only the first call of each tool in a message.
type trail struct {
	batches [][]vehicle.Call
	car     *Car
	errors  []string
}

// checkPolicy runs the automatic policy checks on a conversation that is
// over: on its calls and on the final state of the car.
func checkPolicy(batches [][]vehicle.Call, car *Car) []string {
	t := &trail{batches: batches, car: car}
	for i := range batches {
		t.sunroof(i)
		t.defrost(i)
		t.airConditioning(i)
		t.fogLights(i)
		t.highBeams(i)
		t.edits(i)
	}
	return t.errors
}

func (t *trail) first(i int, tool string) (vehicle.Value, bool) {
	for _, c := range t.batches[i] {
		if c.Tool == tool {
			return c.Args, true
		}
	}
	return vehicle.Value{}, false
}

// on returns the arguments of the tool's first call in the message, where it
// switches something on.
func (t *trail) on(i int, tool string) (vehicle.Value, bool) {
	args, ok := t.first(i, tool)
	on, _ := member(args, "on").Truth()
	return args, ok && on
}

// earlier reports whether all the tools were called in messages before i.
func (t *trail) earlier(i int, tools ...string) bool {
	for _, tool := range tools {
		if !slices.ContainsFunc(t.batches[:i], func(b []vehicle.Call) bool {
			return slices.ContainsFunc(b, func(c vehicle.Call) bool { return c.Tool == tool })
		}) {
			return false
		}
	}
	return true
}

func (t *trail) number(signal string) float64 {
	f, _ := t.car.Get(signal).Float()
	return f
}

func (t *trail) truth(signal string) bool {
	b, _ := t.car.Get(signal).Truth()
	return b
}

func (t *trail) wrong(id, what string) { t.errors = append(t.errors, id+": "+what) }

func (t *trail) sunroof(i int) {
	args, ok := t.first(i, "open_close_sunroof")
	to := number(args, "percentage")
	if !ok || to == 0 {
		return
	}
	if _, with := t.first(i, "open_close_sunshade"); !with && t.number("sunshade_position") < to {
		t.wrong("AUT-POL:005", "sunroof opened further than the sunshade.")
	}
	if !t.earlier(i, "get_weather") {
		t.wrong("AUT-POL:009", "weather not checked before the sunroof was opened.")
	}
}

func (t *trail) defrost(i int) {
	args, ok := t.on(i, "set_window_defrost")
	if w := text(args, "defrost_window"); !ok || w != "FRONT" && w != "ALL" {
		return
	}
	if !t.earlier(i, "get_climate_settings") && !t.earlier(i, "set_fan_speed", "set_fan_airflow_direction", "set_air_conditioning") {
		t.wrong("AUT-POL:010", "climate settings unknown when the front defrost was switched on.")
	}
	flow, _ := t.car.Get("fan_airflow_direction").Text()
	if t.number("fan_speed") < 2 || !strings.Contains(flow, "WINDSHIELD") || !t.truth("air_conditioning") {
		t.wrong("AUT-POL:010", "front defrost without fan, airflow and air conditioning as it needs them.")
	}
}

func (t *trail) airConditioning(i int) {
	if _, ok := t.on(i, "set_air_conditioning"); !ok {
		return
	}
	windows := t.earlier(i, "get_vehicle_window_positions") || t.earlier(i, "open_close_window")
	if windows && !t.earlier(i, "get_climate_settings") && !t.earlier(i, "open_close_window", "set_fan_speed") {
		t.wrong("AUT-POL:011", "climate settings unknown when the air conditioning was switched on.")
	}
	open := false
	for _, m := range t.car.Profile.Match("window_*_position") {
		open = open || t.number(t.car.Profile.Signals[m.Signal].Name) > 20
	}
	if open || t.number("fan_speed") == 0 {
		t.wrong("AUT-POL:011", "air conditioning with a window open more than 20 % or the fan off.")
	}
}

func (t *trail) fogLights(i int) {
	if _, ok := t.on(i, "set_fog_lights"); !ok {
		return
	}
	if !t.earlier(i, "get_exterior_lights_status") && !t.earlier(i, "set_head_lights_low_beams", "set_head_lights_high_beams") {
		t.wrong("AUT-POL:013", "exterior lights unknown when the fog lights were switched on.")
	}
	if !t.truth("head_lights_low_beams") || t.truth("head_lights_high_beams") {
		t.wrong("AUT-POL:013", "fog lights without low beams, or with high beams.")
	}
}

func (t *trail) highBeams(i int) {
	if _, ok := t.on(i, "set_head_lights_high_beams"); !ok {
		return
	}
	if !t.earlier(i, "get_exterior_lights_status") && !t.earlier(i, "set_fog_lights") {
		t.wrong("AUT-POL:014", "exterior lights unknown when the high beams were switched on.")
	}
	if t.truth("fog_lights") {
		t.wrong("AUT-POL:014", "high beams with fog lights.")
	}
}

// edits counts navigation edits in one message. Two of these names are not
// those of the real tools: the recorded check never sees a parallel delete.
func (t *trail) edits(i int) {
	n := 0
	for _, c := range t.batches[i] {
		switch c.Tool {
		case "navigation_add_one_waypoint", "navigation_delete_final_destination", "navigation_delete_one_waypoint",
			"navigation_replace_final_destination", "navigation_replace_one_waypoint":
			n++
		}
	}
	if n > 1 {
		t.wrong("AUT-POL:018", "more than one navigation edit at a time.")
	}
}
