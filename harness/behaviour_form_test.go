// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

var (
	calls = harnesstest.Calls
	say   = harnesstest.Say
)

// Tools, arguments and values.
func TestBehaviourForm(t *testing.T) {
	args := func(tool string, v vehicle.Value) harness.Draft {
		return harness.Draft{Calls: []vehicle.Call{{Tool: tool, Args: v}}}
	}
	raw := harness.Draft{Calls: []vehicle.Call{{ID: "x", Tool: "set_fan", Raw: `{"level":`}, {ID: "y", Tool: "set_fan", Args: vehicle.MustJSON(`{"level":9}`)}}}
	play(t, []behaviour{
		{id: "A1.1 a tool that is not offered", car: inOven, draft: calls("launch", `{}`), want: []string{"tool-exists block"}, note: "launch"},
		{id: "A1.2 an argument to a tool without any", car: inOven, draft: calls("get_state", `{"x":1}`), want: []string{"schema block"}, note: "x"},
		{id: "A1.3 the same without arguments", car: inOven, draft: calls("get_state", `{}`)},
		{id: "A1.4 an undeclared argument", car: inOven, draft: calls("set_fan", `{"level":1,"speed":2}`), want: []string{"schema block"}, note: "speed"},
		{id: "A1.5 outside the enumeration", car: inOven, draft: calls("open_close_door", `{"door":"MIDDLE","percentage":1}`), want: []string{"schema block"}, note: `MIDDLE is none of ALL, LEFT`},
		{id: "A1.6 inside it", car: inOven, draft: calls("open_close_door", `{"door":"LEFT","percentage":1}`)},
		{id: "A1.7 in the car: argument", car: inCar, draft: calls("set_fan_speed", `{"level":1,"speed":2}`), want: []string{"schema block"}, note: "speed"},
		{id: "A1.7 in the car: enumeration", car: inCar, draft: calls("open_close_window", `{"window":"MIDDLE","percentage":0}`), want: []string{"schema block"}, note: "DRIVER"},
		{id: "A1.8 a required argument is missing", car: inOven, draft: calls("open_close_door", `{"door":"LEFT"}`), want: []string{"schema block"}, note: "percentage"},
		{id: "B7 arguments that do not parse, the other gates run", car: inOven, draft: raw, want: []string{"argument-format block", "schema block"}},
		{id: "B7 a list is no object", car: inOven, draft: args("set_fan", vehicle.MustJSON(`[1,2]`)), want: []string{"argument-format block"}},
		{id: "B7 a bare value is no object", car: inOven, draft: args("set_fan", vehicle.MustJSON(`"1"`)), want: []string{"argument-format block"}},
		{id: "B8 wrong type", car: inOven, draft: calls("set_heater", `{"on":3}`), want: []string{"schema block"}, note: "on"},
		{id: "B8 out of range", car: inOven, draft: calls("set_fan", `{"level":9}`), want: []string{"schema block"}, note: "level = 9 is not within 0 – 5"},
		{id: "B8 wrong multiple", car: inOven, draft: calls("set_fan", `{"level":1.5}`), want: []string{"schema block"}, note: "level"},
		{id: "B8 a bad element", car: inOven, draft: calls("start_recipe", `{"recipe_id":"pie","guests":["ADULT","DOG"]}`), want: []string{"schema block"}, note: "guests[1] = DOG"},
		{id: "B8 a bad nested key", car: inOven, draft: calls("start_recipe", `{"recipe_id":"pie","timing":{"minutes":1,"hours":2}}`), want: []string{"schema block"}, note: "timing.hours"},
		{id: "B8 a nested required one is missing", car: inOven, draft: calls("start_recipe", `{"recipe_id":"pie","timing":{"end":"x"}}`), want: []string{"schema block"}, note: "timing.minutes"},
		{id: "B8 a list for a scalar", car: inOven, draft: calls("open_close_door", `{"door":["LEFT"],"percentage":0}`), want: []string{"schema block"}, note: "door"},
		{id: "A17.145 B9 an integral number for an integer", car: inOven, draft: calls("start_recipe", `{"recipe_id":"pie","servings":4.0}`)},
		{id: "A17.146 a fraction is none", car: inOven, draft: calls("start_recipe", `{"recipe_id":"pie","servings":4.5}`), want: []string{"schema block"}, note: "servings"},
		{id: "A17.146 a nested fraction stays", car: inOven, draft: calls("start_recipe", `{"recipe_id":"pie","timing":{"minutes":4.5}}`)},
		{id: "A17.146 a boolean stays", car: inOven, draft: calls("set_fan", `{"level":true}`), want: []string{"schema block"}, note: "level"},
		{id: "A14.101 a name with parentheses", car: inOven, draft: calls("set_fan()", `{"level":1}`), want: []string{`tool-exists repair =set_fan{"level":1}`}},
		{id: "B27 an alias is a valid member", car: inOven, draft: calls("open_close_door", `{"door":"REAR","percentage":5}`)},
		{id: "B29 a percent text becomes a number", car: inOven, draft: calls("open_close_door", `{"door":"LEFT","percentage":"20%"}`), want: []string{`schema repair =open_close_door{"door":"LEFT","percentage":20}`}},
		{id: "B29 another unit does not", car: inOven, draft: calls("open_close_door", `{"door":"LEFT","percentage":"20 cm"}`), want: []string{"schema block"}},
		{id: "B29 off is false", car: inOven, draft: calls("set_heater", `{"on":"off"}`), want: []string{`schema repair =set_heater{"on":false}`}},
	})
}

// A tool whose arguments nobody declared is not judged by a schema.
func TestBehaviourNoSchema(t *testing.T) {
	b := newBench(t, ovenWorld(), nil, &vehicle.Tool{Name: "hum", Access: vehicle.Noop})
	(&behaviour{draft: calls("hum", `{"anything":{"goes":[1]}}`)}).run(b) // A1.9
}

// Where identifiers come from.
func TestBehaviourProvenance(t *testing.T) {
	start := func(id string) harness.Draft { return calls("start_recipe", `{"recipe_id":"`+id+`"}`) }
	found := func(b *bench) {
		b.hear("find a pie")
		b.came("find_recipes", `{"dish":"pie"}`, done(`{"recipes":[{"recipe_id":"rec_4711_pie","name":"pie"}]}`))
	}
	block := []string{"provenance block"}
	play(t, []behaviour{
		{id: "A2.13 from a result", car: inOven, set: found, draft: start("rec_4711_pie")},
		{id: "A2.13 from the driver", car: inOven, say: "start recipe rec_4712_pie", draft: start("rec_4712_pie")},
		{id: "A2.13 from the policy", car: inOven, draft: start("rec_1001")},
		{id: "A2.14 from nowhere", car: inOven, draft: start("rec_4713_pie"), want: block, note: `start_recipe: recipe_id = "rec_4713_pie"`},
		{id: "A2.15 from the assistant itself", car: inOven, set: func(b *bench) { b.hear("hi"); b.said("There is rec_4714_pie.") }, draft: start("rec_4714_pie"), want: block},
		{id: "B10 a member of an enumeration", car: inCar, say: "direct the air everywhere", draft: calls("set_fan_airflow_direction", `{"direction":"WINDSHIELD_HEAD_FEET"}`)},
		{id: "B11 inside free text", car: inOven, draft: calls("note", `{"text":"try rec_9999_pie later"}`)},
		{id: "B11 a thought that is one word", car: inOven, draft: calls("note", `{"text":"rec_9999_pie"}`)},
		{id: "B12 letters beyond ASCII", car: inOven, draft: start("rez_4711_öl"), want: block, note: "rez_4711_öl"},
		{id: "B13 in a list", car: inOven, set: found, draft: calls("start_recipe", `{"recipe_id":"rec_4711_pie","also":["rec_5555_jam"]}`), want: block, note: "also[0]"},
		{id: "B13 in an object", car: inOven, set: found, draft: calls("start_recipe", `{"recipe_id":"rec_4711_pie","timing":{"minutes":1,"end":"evt_7777_x"}}`), want: block, note: "timing.end"},
		{id: "B13 an unseen prefix", car: inOven, draft: start("zzq-00417"), want: block},
		{id: "B13 a UUID", car: inOven, draft: start("7f9c24e8-3b12-4fef-91e0-5a6d0d1c2b3a"), want: block},
		{id: "B13 an address", car: inCar, draft: calls("send_email", `{"content_message":"hi","email_addresses":["nobody@example.org"]}`), want: []string{"provenance block", "confirmation ask", "confirmation ask 004"}},
		{id: "B13 without a digit, but like one that was found", car: inOven, set: found, draft: start("rec_some_placeholder"), want: block},
		{id: "B13 a route without a digit", car: inCar, set: func(b *bench) {
			b.hear("remove the stop")
			b.came("get_routes_from_start_to_destination", `{"start_id":"loc_lin_545923","destination_id":"loc_ulm_113708"}`, done(`{"routes":[{"route_id":"rll_lin_ulm_193745"}]}`))
		}, draft: calls("navigation_delete_waypoint", `{"waypoint_id_to_delete":"loc_lin_545923","route_id_without_waypoint":"rll_ulm_ulm_placeholder"}`), want: []string{"provenance block", "gather read 017 +get_current_navigation_state{}"}},
		{id: "B13 made like nothing that was found", car: inOven, set: found, draft: start("my_own_recipe")},
		{id: "B14 a prefix of a real one", car: inOven, set: found, draft: start("rec_4711"), want: block},
		{id: "B15 an echo of its own argument", car: inOven, set: func(b *bench) {
			b.hear("find a pie")
			b.came("find_recipes", `{"dish":"rec_4715_pie"}`, done(`{"dish":"rec_4715_pie","recipes":[]}`))
		}, draft: start("rec_4715_pie"), want: block},
		{id: "B15 an error text", car: inOven, set: func(b *bench) {
			b.hear("find a pie")
			b.came("find_recipes", `{"dish":"rec_4716_pie"}`, failed("there is no rec_4716_pie"))
		}, draft: start("rec_4716_pie"), want: block},
	})
}
