// SPDX-License-Identifier: Apache-2.0

package harness_test

import "testing"

// What rules owe: exactly the violations of the state after the draft.
func TestBehaviourObligations(t *testing.T) {
	heater := calls("set_heater", `{"on":true}`)
	shut := func(item string) string { return `open_close_door{"door":"` + item + `","percentage":0}` }
	doors := func(left, right, back string, more ...string) func(b *bench) {
		return func(b *bench) {
			b.is("door_left_position", left, "door_right_position", right, "door_back_position", back, "fan", "1")
			b.is(more...)
			b.hear("please do it")
			readAll(b)
		}
	}
	then := func(fs ...func(b *bench)) func(b *bench) {
		return func(b *bench) {
			for _, f := range fs {
				f(b)
			}
		}
	}
	windows := func(values ...string) func(b *bench) {
		return func(b *bench) {
			for i, n := range []string{"driver", "passenger", "driver_rear", "passenger_rear"} {
				b.is("window_"+n+"_position", values[i])
			}
			b.is("fan_speed", "1")
			b.hear("please do it")
			b.do("get_vehicle_window_positions", `{}`, "get_climate_settings", `{}`)
		}
	}
	weather := func(condition string) func(b *bench) {
		return func(b *bench) {
			b.is("sunshade_position", "100")
			b.hear("open the sunroof to 30 percent")
			b.do("get_sunroof_and_sunshade_position", `{}`)
			b.came("get_weather", `{"location_or_poi_id":"loc_lin_545923","month":3,"day":14,"time_hour_24hformat":10}`, done(`{"current_slot":{"condition":"`+condition+`"}}`))
		}
	}
	route := func(from string) func(b *bench) {
		return func(b *bench) {
			b.hear("navigate to Ulm")
			b.came("get_current_navigation_state", `{}`, done(`{"navigation_active":false}`))
			b.came("get_routes_from_start_to_destination", `{"start_id":"`+from+`","destination_id":"loc_ulm_113708"}`,
				done(`{"routes":[{"route_id":"rll_lin_ulm_100002","start_id":"loc_x"},{"route_id":"rll_lin_ulm_100001","start_id":"`+from+`"}]}`))
		}
	}
	play(t, []behaviour{
		{id: "A14.91 A14.92 two of four windows", car: inCar, set: windows("25", "100", "10", "0"), say: "-", draft: calls("set_air_conditioning", `{"on":true}`),
			want: []string{`obligation repair 011a +open_close_window{"percentage":0,"window":"DRIVER"} +open_close_window{"percentage":0,"window":"PASSENGER"}`}},
		{id: "A14.92 two of three doors, one finding", car: inOven, set: doors("25", "100", "10"), say: "-", draft: heater,
			want: []string{"obligation repair 1a +" + shut("LEFT") + " +" + shut("RIGHT")}, note: shut("LEFT") + ", " + shut("RIGHT")},
		{id: "A14.93 trigger plus the two calls", car: inOven, set: doors("25", "100", "10"), say: "-",
			draft: calls("open_close_door", `{"door":"LEFT","percentage":0}`, "open_close_door", `{"door":"RIGHT","percentage":0}`, "set_heater", `{"on":true}`)},
		{id: "A14.94 collective although one is exempt", car: inOven, set: doors("25", "100", "10"), say: "-",
			draft: calls("open_close_door", `{"door":"ALL","percentage":0}`, "set_heater", `{"on":true}`),
			want:  []string{"excess repair 1a +" + shut("LEFT") + " +" + shut("RIGHT") + " -" + shut("ALL")}},
		{id: "A14.94 an exempt item that has the value already is no excess", car: inOven, set: doors("25", "100", "0"), say: "-",
			draft: calls("open_close_door", `{"door":"ALL","percentage":0}`, "set_heater", `{"on":true}`)},
		{id: "A14.95 collective, all qualify", car: inOven, set: doors("25", "100", "30"), say: "-",
			draft: calls("open_close_door", `{"door":"ALL","percentage":0}`, "set_heater", `{"on":true}`)},
		{id: "A14.100 one open thing of another domain", car: inOven, set: doors("0", "0", "21"), say: "-", draft: heater,
			want: []string{"obligation repair 1a +" + shut("BACK")}},
		{id: "A14.102 executed collectively after the read", car: inOven, set: then(doors("25", "100", "30"), func(b *bench) {
			b.do("open_close_door", `{"door":"ALL","percentage":0}`)
		}), say: "-", draft: heater},
		{id: "A14.103 executed item by item earlier", car: inOven, set: then(doors("25", "100", "10"), func(b *bench) {
			b.do("open_close_door", `{"door":"LEFT","percentage":0}`)
			b.do("open_close_door", `{"door":"RIGHT","percentage":0}`)
			b.hear("please do it")
		}), say: "-", draft: heater},
		{id: "A14.104 a write on an exempt item", car: inOven, set: doors("25", "0", "10"), say: "-",
			draft: calls("open_close_door", `{"door":"LEFT","percentage":0}`, "open_close_door", `{"door":"BACK","percentage":0}`, "set_heater", `{"on":true}`),
			want:  []string{"excess repair 1a -" + shut("BACK")}},
		{id: "A14.105 B32 the driver asked for it", car: inOven, set: func(b *bench) {
			doors("25", "0", "10")(b)
			b.hear("close all doors and turn on the heater")
		}, say: "-", draft: calls("open_close_door", `{"door":"ALL","percentage":0}`, "set_heater", `{"on":true}`)},
		{id: "A14.106 not required, made anyway", car: inCar, set: func(b *bench) {
			b.is("fan_speed", "2", "fan_airflow_direction", `"WINDSHIELD"`, "air_conditioning", "true")
			b.hear("defrost the front windshield")
			b.do("get_climate_settings", `{}`)
		}, say: "-", draft: calls("set_fan_airflow_direction", `{"direction":"WINDSHIELD_FEET"}`, "set_window_defrost", `{"on":true,"defrost_window":"FRONT"}`),
			want: []string{`excess repair 010b -set_fan_airflow_direction{"direction":"WINDSHIELD_FEET"}`}, note: "not ask for it"},
		{id: "A14.107 the condition holds, the call is absent", car: inCar, set: func(b *bench) {
			b.is("fan_speed", "2", "fan_airflow_direction", `"FEET"`, "air_conditioning", "true")
			b.hear("defrost the front windshield")
			b.do("get_climate_settings", `{}`)
		}, say: "-", draft: calls("set_window_defrost", `{"on":true,"defrost_window":"FRONT"}`),
			want: []string{`obligation repair 010b +set_fan_airflow_direction{"direction":"WINDSHIELD"}`}},
		{id: "A14.108 the condition is false, the call is absent", car: inCar, set: func(b *bench) {
			b.is("fan_speed", "2", "fan_airflow_direction", `"WINDSHIELD_FEET"`, "air_conditioning", "true")
			b.hear("defrost the front windshield")
			b.do("get_climate_settings", `{}`)
		}, say: "-", draft: calls("set_window_defrost", `{"on":true,"defrost_window":"FRONT"}`)},
		{id: "A14.109 the draft violates it, the trigger ran before", car: inOven, set: then(doors("0", "0", "0"), func(b *bench) { b.do("set_heater", `{"on":true}`) }), say: "-",
			draft: calls("open_close_door", `{"door":"ALL","percentage":60}`), want: []string{`obligation repair -open_close_door{"door":"ALL","percentage":60}`,
				`excess repair 1a -open_close_door{"door":"ALL","percentage":60}`}},
		{id: "A14.109 and the driver asked for it", car: inOven, set: func(b *bench) {
			doors("0", "0", "0")(b)
			b.hear("turn on the heater and open all doors to 60")
			b.do("set_heater", `{"on":true}`)
		}, say: "-", draft: calls("open_close_door", `{"door":"ALL","percentage":60}`), want: []string{"obligation block 1a"}, note: shut("ALL")},
		{id: "a hand on the car is not undone", car: inOven, set: then(doors("0", "0", "0"), func(b *bench) {
			b.do("set_heater", `{"on":true}`)
			b.is("door_left_position", "80")
			b.do("get_door_positions", `{}`)
		}), say: "-", draft: say("The heater is on.")},
		{id: "A14.110 a collective call with another value", car: inOven, set: doors("40", "50", "60"), say: "-",
			draft: calls("open_close_door", `{"door":"ALL","percentage":30}`, "set_heater", `{"on":true}`),
			want: []string{"obligation repair 1a +" + shut("ALL"), `obligation repair -open_close_door{"door":"ALL","percentage":30}`,
				"excess repair 1a +" + shut("ALL") + ` -open_close_door{"door":"ALL","percentage":30}`}},
		{id: "A14.111 another variable of the same read stays valid", car: inOven, set: then(doors("0", "0", "0"), func(b *bench) { b.do("set_fan", `{"level":3}`) }), say: "-",
			draft: calls("set_grill", `{"on":true}`), want: []string{`obligation repair 2a +set_heater{"on":true}`}},
		{id: "A14.112 a draft that holds the remedy", car: inOven, set: doors("0", "0", "0", "fan", "0"), say: "-",
			draft: calls("set_fan", `{"level":1}`, "set_heater", `{"on":true}`)},
		{id: "A14.115 reads alone", car: inOven, set: then(doors("50", "0", "0"), func(b *bench) { b.do("set_heater", `{"on":true}`) }), say: "-", draft: calls("get_state", `{}`)},
		{id: "A14.116 A14.119 all qualify: one collective call", car: inOven, set: doors("25", "100", "30"), say: "-", draft: heater,
			want: []string{"obligation repair 1a +" + shut("ALL")}},
		{id: "A14.119 one is missing: per item", car: inOven, set: doors("25", "100", "20"), say: "-", draft: heater,
			want: []string{"obligation repair 1a +" + shut("LEFT") + " +" + shut("RIGHT")}},
		{id: "A14.120 owed under two rules, demanded once", car: inOven, set: doors("0", "0", "0", "fan", "0"), say: "-", draft: calls("set_grill", `{"on":true}`, "set_heater", `{"on":true}`),
			want: []string{`obligation repair 2b +set_fan{"level":2}`, `obligation repair 1b +set_fan{"level":2}`, `obligation repair 2a +set_heater{"on":true}`}},
		{id: "what is owed stands behind its trigger", car: inOven, set: doors("25", "0", "10"), say: "-",
			draft: calls("set_heater", `{"on":true}`, "open_close_door", `{"door":"LEFT","percentage":0}`),
			want:  []string{"obligation repair 1a +" + shut("LEFT")}, note: "earlier in the draft"},
		{id: "what is owed stands behind its trigger by another name", car: inCar, set: windows("0", "0", "100", "0"), say: "-",
			draft: calls("set_air_conditioning", `{"on":true}`, "open_close_window", `{"window":"RIGHT_REAR","percentage":0}`),
			want:  []string{`obligation repair 011a +open_close_window{"percentage":0,"window":"RIGHT_REAR"}`}},
		{id: "B16 off does not activate a rule about on", car: inOven, set: doors("90", "90", "90"), say: "-", draft: calls("set_heater", `{"on":false}`)},
		{id: "B17 a trigger that was reversed", car: inOven, set: then(doors("0", "0", "0"), func(b *bench) {
			b.do("set_heater", `{"on":true}`)
			b.do("set_heater", `{"on":false}`)
			b.do("open_close_door", `{"door":"LEFT","percentage":60}`)
		}), say: "-", draft: say("Okay.")},
		{id: "B17 a trigger that failed", car: inOven, set: then(doors("0", "0", "0"), func(b *bench) {
			b.came("set_heater", `{"on":true}`, failed("fuse"))
			b.do("open_close_door", `{"door":"LEFT","percentage":60}`)
		}), say: "-", draft: say("Okay.")},
		{id: "B22 the remedy ran, the draft violates it again", car: inOven, set: then(doors("50", "0", "0"), func(b *bench) {
			b.do("open_close_door", `{"door":"LEFT","percentage":0}`)
		}), say: "-", draft: calls("open_close_door", `{"door":"LEFT","percentage":40}`, "set_heater", `{"on":true}`),
			want: []string{`obligation repair -open_close_door{"door":"LEFT","percentage":40}`,
				"excess repair 1a -" + `open_close_door{"door":"LEFT","percentage":40}`}},
		{id: "B23 the remedy before the call that violates it again", car: inOven, set: doors("50", "0", "0"), say: "-",
			draft: calls("open_close_door", `{"door":"LEFT","percentage":0}`, "start_recipe", `{"recipe_id":"pie"}`, "open_close_door", `{"door":"LEFT","percentage":40}`, "set_heater", `{"on":true}`),
			want: []string{`obligation repair -open_close_door{"door":"LEFT","percentage":40}`,
				"excess repair 1a -" + `open_close_door{"door":"LEFT","percentage":40}`}},
		{id: "B22 B32 violated again on request: the driver decides", car: inOven, set: then(doors("50", "0", "0"), func(b *bench) {
			b.do("open_close_door", `{"door":"LEFT","percentage":0}`)
			b.hear("open the left door to 40 and turn on the heater")
		}), say: "-", draft: calls("open_close_door", `{"door":"LEFT","percentage":40}`, "set_heater", `{"on":true}`), want: []string{"obligation ask 1a"}},
		{id: "B25 parallel calls match their own results", car: inOven, set: func(b *bench) {
			b.is("fan", "1", "door_left_position", "50")
			b.hear("please do it")
			b.do("get_door_positions", `{}`, "get_state", `{}`, "get_door_positions", `{}`)
		}, say: "-", draft: heater, want: []string{"obligation repair 1a +" + shut("LEFT")}},
		{id: "B27 an alias is the same item", car: inOven, set: doors("0", "0", "80"), say: "-",
			draft: calls("open_close_door", `{"door":"REAR","percentage":0}`, "set_heater", `{"on":true}`)},
		{id: "B29 a percent text of a result is a number", car: inOven, set: func(b *bench) {
			b.is("fan", "1")
			b.hear("please do it")
			b.do("get_state", `{}`)
			b.came("get_door_positions", `{}`, done(`{"door_left_position":"30 %","door_right_position":"5","door_back_position":"20.0%"}`))
		}, say: "-", draft: heater, want: []string{"obligation repair 1a +" + shut("LEFT")}},
		{id: "B29 off as a text is false", car: inOven, set: func(b *bench) {
			b.hear("please do it")
			b.came("get_state", `{}`, done(`{"fan":3,"heater":"OFF","grill":"off","cleaner":"off"}`))
			b.do("get_door_positions", `{}`)
		}, say: "-", draft: calls("set_grill", `{"on":true}`), want: []string{`obligation repair 2a +set_heater{"on":true}`}},
		{id: "B31 a reply while something is owed", car: inOven, set: then(doors("50", "0", "0"), func(b *bench) { b.do("set_heater", `{"on":true}`) }), say: "-",
			draft: say("The heater is on."), want: []string{"owed-on-reply repair 1a +" + shut("LEFT")}},
		{id: "A14.114 a trigger of an earlier turn binds until discharged once", car: inOven, set: then(doors("50", "0", "0"), func(b *bench) {
			b.do("set_heater", `{"on":true}`)
			b.said("The heater is on.")
			b.hear("thank you")
		}), say: "-", draft: say("You are welcome."), want: []string{"owed-on-reply repair 1a +" + shut("LEFT")}},
		{id: "A14.114 and no longer", car: inOven, set: then(doors("50", "0", "0"), func(b *bench) {
			b.do("set_heater", `{"on":true}`)
			b.do("open_close_door", `{"door":"LEFT","percentage":0}`)
			b.hear("open the left door")
			b.do("open_close_door", `{"door":"LEFT","percentage":60}`)
		}), say: "-", draft: say("It is open.")},
		{id: "B34 requested with another value than the remedy's", car: inOven, set: then(doors("0", "0", "0"), func(b *bench) { b.hear("set the fan to 4 and turn on the heater") }), say: "-",
			draft: calls("set_fan", `{"level":4}`, "set_heater", `{"on":true}`)},
		{id: "B20 a nested result that suits", car: inCar, set: weather("sunny"), say: "-", draft: calls("open_close_sunroof", `{"percentage":30}`)},
		{id: "B20 a nested result that does not", car: inCar, set: weather("cloudy_and_rain"), say: "-", draft: calls("open_close_sunroof", `{"percentage":30}`),
			want: []string{"confirmation ask 008"}},
		{id: "B20 a listed result that suits", car: inCar, set: route("loc_lin_545923"), say: "-", draft: calls("set_new_navigation", `{"route_ids":["rll_lin_ulm_100001"]}`)},
		{id: "B20 a listed result that does not", car: inCar, set: route("loc_bre_895415"), say: "-", draft: calls("set_new_navigation", `{"route_ids":["rll_lin_ulm_100001"]}`),
			want: []string{"constraint block 016"}},
	})
}
