// SPDX-License-Identifier: Apache-2.0

package vehicletest

import (
	"github.com/carguardd/carguardd/vehicle"
)

func schema(doc string) *vehicle.Schema {
	s, err := vehicle.ParseSchema(vehicle.MustJSON(doc))
	if err != nil {
		panic(err)
	}
	return s
}

func tools(p *vehicle.Profile) []*vehicle.Tool {
	id := func(name string) vehicle.SignalID { return p.Signal(name).ID }
	set := func(signal, arg string) *vehicle.Effect {
		return &vehicle.Effect{Signal: id(signal), To: vehicle.Target{Arg: vehicle.MustPath(arg)}}
	}
	returns := func(names ...string) (l []vehicle.Return) {
		for _, n := range names {
			l = append(l, vehicle.Return{Path: vehicle.MustPath(n), Signal: id(n), Unit: p.Signal(n).Unit})
		}
		return l
	}
	percentage := `{"type":"object","required":["percentage"],"additionalProperties":false,"properties":{"percentage":{"type":"integer","minimum":0,"maximum":100}}}`
	return []*vehicle.Tool{
		{Name: "open_close_window", Declared: true,
			Input: schema(`{"type":"object","required":["window","percentage"],"additionalProperties":false,"properties":{
				"window":{"enum":["ALL","DRIVER","PASSENGER"]},"percentage":{"type":"integer","minimum":0,"maximum":100}}}`),
			Items: &vehicle.Items{Arg: vehicle.MustPath("window"), Names: []vehicle.ItemName{{Value: "DRIVER", Item: "driver"}, {Value: "PASSENGER", Item: "passenger"}, {Value: "ALL", Item: "*"}}},
			Sets: []*vehicle.Effect{{Signal: vehicle.NoSignal, ByItem: map[string]vehicle.SignalID{
				"driver": id("window_driver_position"), "passenger": id("window_passenger_position")}, To: vehicle.Target{Arg: vehicle.MustPath("percentage")}}}},
		{Name: "open_close_sunroof", Declared: true, Input: schema(percentage), Sets: []*vehicle.Effect{set("sunroof_position", "percentage")}},
		{Name: "open_close_sunshade", Declared: true, Input: schema(percentage), Sets: []*vehicle.Effect{set("sunshade_position", "percentage")}},
		{Name: "open_roof", Declared: true, Input: schema(percentage), Sets: []*vehicle.Effect{
			{Signal: id("sunshade_position"), To: vehicle.Target{Const: vehicle.NumberOf(100)}}, set("sunroof_position", "percentage")}},
		{Name: "set_climate", Declared: true,
			Input: schema(`{"type":"object","required":["level","on"],"additionalProperties":false,"properties":{"level":{"type":"integer","minimum":0,"maximum":7},"on":{"type":"boolean"}}}`),
			Sets:  []*vehicle.Effect{set("fan_speed", "level"), set("air_conditioning", "on")}},
		{Name: "set_fan_speed", Declared: true,
			Input: schema(`{"type":"object","required":["level"],"additionalProperties":false,"properties":{"level":{"type":"integer","minimum":0,"maximum":5}}}`),
			Sets:  []*vehicle.Effect{set("fan_speed", "level")}},
		{Name: "open_close_trunk_door", Declared: true,
			Input: schema(`{"type":"object","required":["action"],"additionalProperties":false,"properties":{"action":{"enum":["OPEN","CLOSE"]}}}`),
			Sets: []*vehicle.Effect{{Signal: id("trunk_door_position"), To: vehicle.Target{Arg: vehicle.MustPath("action"),
				Map: map[string]vehicle.Value{"CLOSE": vehicle.TextOf("CLOSED")}}}}},
		{Name: "set_ambient_light", Declared: true,
			Input: schema(`{"type":"object","required":["color"],"additionalProperties":false,"properties":{"color":{"enum":["OFF","RED","BLUE"]}}}`),
			Sets:  []*vehicle.Effect{set("ambient_light", "color")}},
		{Name: "get_window_positions", Access: vehicle.Read, Input: schema(`{"type":"object","properties":{}}`),
			Returns: returns("window_driver_position", "window_passenger_position")},
		{Name: "get_vehicle", Access: vehicle.Read, Input: schema(`{"type":"object","properties":{"note":{"type":"string","default":"none"}}}`),
			Returns: []vehicle.Return{
				{Path: vehicle.MustPath("drive.speed"), Signal: id("vehicle_speed"), Unit: "mph"},
				{Path: vehicle.MustPath("drive.speed_text"), Signal: id("vehicle_speed"), Unit: "km/h", Text: &vehicle.TextForm{Decimals: 1, Suffix: " km/h"}},
				{Path: vehicle.MustPath("drive.gear"), Signal: id("gear")}},
			Fixed: []vehicle.Fixed{{Path: vehicle.MustPath("kind"), Value: vehicle.TextOf("test car")}, {Path: vehicle.MustPath("note"), Arg: vehicle.MustPath("note")}}},
		{Name: "set_navigation", Service: "navigation", Declared: true, Input: schema(`{"type":"object","properties":{"to":{"type":"string"}}}`),
			Sets: []*vehicle.Effect{{Signal: id("navigation_active"), To: vehicle.Target{Const: vehicle.BoolOf(true)}},
				{Signal: id("waypoints"), To: vehicle.Target{Arg: vehicle.MustPath("to"), Op: vehicle.Append}}}},
		{Name: "get_navigation", Service: "navigation", Access: vehicle.Read, Input: schema(`{"type":"object","properties":{}}`),
			Returns: returns("navigation_active", "waypoints")},
		{Name: "think", Access: vehicle.Noop},
		{Name: "undeclared"},
	}
}
