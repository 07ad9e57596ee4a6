// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"slices"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

var domainCases = slices.Concat(formCases, driverCases, ruleCases, replyCases)

// broken is a call whose arguments are no object.
func broken(tool string) harness.Draft {
	return harness.Draft{Calls: []vehicle.Call{{ID: "x", Tool: tool, Raw: `{"`}}}
}

const (
	foundPie    = `{"recipes":[{"recipe_id":"rec_4711_pie","name":"pie"}]}`
	twoRoutes   = `{"routes":[{"route_id":"rll_lin_ulm_100001","start_id":"loc_lin_545923","destination_id":"loc_ulm_113708","name_via":"A4","alias":["fastest"]},{"route_id":"rll_lin_ulm_100002","start_id":"loc_lin_545923","destination_id":"loc_ulm_113708","name_via":"L7","alias":["shortest"]}]}`
	toUlm       = `{"start_id":"loc_lin_545923","destination_id":"loc_ulm_113708"}`
	routes      = "get_routes_from_start_to_destination"
	preferences = "get_user_preferences"
	climate     = `{"preference_categories":{"vehicle_settings":{"climate_control":true}}}`
)

// What is wrong with calls by themselves, or beside each other.
var formCases = []twoDomains{
	{"argument-format",
		pair{inOven, moment{say: "set the fan", draft: broken("set_fan")}, moment{say: "set the fan", draft: calls("set_fan", `{"level":1}`)}},
		pair{inCar, moment{say: "set the fan to 1", draft: broken("set_fan_speed")}, moment{say: "set the fan to 1", draft: calls("set_fan_speed", `{"level":1}`)}}},
	{"tool-exists",
		pair{inOven, moment{say: "launch it", draft: calls("launch", `{}`)}, moment{say: "the fan", draft: calls("get_state", `{}`)}},
		pair{inCar, moment{say: "fly", draft: calls("fly", `{}`)}, moment{say: "how warm is it?", draft: calls("get_climate_settings", `{}`)}}},
	{"schema",
		pair{inOven, moment{say: "fan to 9", draft: calls("set_fan", `{"level":9}`)}, moment{say: "fan to 5", draft: calls("set_fan", `{"level":5}`)}},
		pair{inCar, moment{say: "close the window", draft: calls("open_close_window", `{"window":"MIDDLE","percentage":0}`)}, moment{say: "close the window", draft: calls("open_close_window", `{"window":"DRIVER","percentage":0}`)}}},
	{"provenance",
		pair{inOven, moment{say: "start the pie", draft: calls("start_recipe", `{"recipe_id":"rec_4712_pie"}`)},
			moment{set: after(heard("start the pie"), read("find_recipes", `{"dish":"pie"}`, foundPie)), draft: calls("start_recipe", `{"recipe_id":"rec_4711_pie"}`)}},
		pair{inCar, moment{set: after(heard("drive to Ulm"), read(routes, toUlm, twoRoutes)), draft: calls("set_new_navigation", `{"route_ids":["rll_lin_ulm_100003"]}`)},
			moment{set: after(heard("drive to Ulm"), read(routes, toUlm, twoRoutes)), draft: calls("set_new_navigation", `{"route_ids":["rll_lin_ulm_100002"]}`)}}},
	{"loop",
		pair{inOven, moment{set: after(heard("hello"), did("get_state", `{}`), did("get_state", `{}`)), draft: calls("get_state", `{}`)},
			moment{set: after(heard("hello"), did("get_state", `{}`)), draft: calls("get_state", `{}`)}},
		pair{inCar, moment{set: after(heard("hello"), did("get_climate_settings", `{}`), did("get_climate_settings", `{}`)), draft: calls("get_climate_settings", `{}`)},
			moment{set: after(heard("hello"), did("get_climate_settings", `{}`), did("get_vehicle_window_positions", `{}`)), draft: calls("get_climate_settings", `{}`)}}},
	{"exclusive-calls",
		pair{inOven, moment{say: "please do it", draft: calls("clear_menu", `{}`, "start_menu", `{"dishes":["soup"]}`)}, moment{say: "please do it", draft: calls("start_menu", `{"dishes":["soup"]}`)}},
		pair{inCar, moment{say: "Take Rome out of it.", draft: calls("delete_current_navigation", `{}`, "set_new_navigation", `{"route_ids":["rll_one_two_123456"]}`)},
			moment{say: "Drive to Rome.", draft: calls("set_new_navigation", `{"route_ids":["rll_one_two_123456"]}`)}}},
	{"repeated-irreversible",
		pair{inOven, moment{set: after(heard("send it"), did("mail_grocer", `{"shop":"north","text":"two eggs"}`)), draft: calls("mail_grocer", `{"shop":"north","text":"two eggs"}`)},
			moment{say: "send it", draft: calls("mail_grocer", `{"shop":"north","text":"two eggs"}`)}},
		pair{inCar, moment{set: after(heard("call them"), read("call_phone_by_number", `{"phone_number":"+49 30 1234567"}`, `{"phone_number_called":true}`)), draft: calls("call_phone_by_number", `{"phone_number":"+49 30 1234567"}`)},
			moment{say: "call them", draft: calls("call_phone_by_number", `{"phone_number":"+49 30 1234567"}`)}}},
}

// What the driver wants, said or is to be asked.
var driverCases = []twoDomains{
	{"future-condition",
		pair{inOven, moment{say: "which grocers are open later?", draft: calls("find_grocers", `{"town":"north","only":["open_now"]}`)}, moment{say: "which grocers are open now?", draft: calls("find_grocers", `{"town":"north","only":["open_now"]}`)}},
		pair{inCar, moment{say: "Find me a supermarket that is open when I get there.", draft: calls("search_poi_at_location", `{"location_id":"loc_lin_545923","category_poi":"supermarkets","filters":["any::currently_open"]}`)},
			moment{say: "Find me a supermarket that is open right now.", draft: calls("search_poi_at_location", `{"location_id":"loc_lin_545923","category_poi":"supermarkets","filters":["any::currently_open"]}`)}}},
	{"question-not-command",
		pair{inEnglishOven, moment{say: "Is the heater on?", draft: calls("set_heater", `{"on":true}`)}, moment{say: "Turn on the heater.", draft: calls("set_heater", `{"on":true}`)}},
		pair{inCar, moment{say: "Are the fog lights on?", draft: calls("set_fog_lights", `{"on":true}`)}, moment{say: "Could you turn the fog lights on?", draft: calls("set_fog_lights", `{"on":true}`)}}},
	{"deferred-by-driver",
		pair{inOven, moment{say: "start the menu not yet", draft: calls("start_menu", `{"dishes":["soup"]}`)}, moment{say: "start the menu", draft: calls("start_menu", `{"dishes":["soup"]}`)}},
		pair{inCar, moment{say: "Turn on the seat heating, but don't do it yet.", draft: calls("set_seat_heating", `{"level":1,"seat_zone":"DRIVER"}`)}, moment{say: "Turn on the seat heating.", draft: calls("set_seat_heating", `{"level":1,"seat_zone":"DRIVER"}`)}}},
	{"preferences-first",
		pair{inOven, moment{say: "set the lamp to blue", draft: calls("set_lamp", `{"color":"BLUE","level":2}`)}, moment{say: "set the lamp to blue 2", draft: calls("set_lamp", `{"color":"BLUE","level":2}`)}},
		pair{inCar, moment{say: "open the sunroof", draft: calls("open_close_sunroof", `{"percentage":50}`)}, moment{say: "open the sunroof to 50 percent", draft: calls("open_close_sunroof", `{"percentage":50}`)}}},
	{"ask-before-reading",
		pair{inOven, moment{say: "set the lamp", draft: say("Which color should the lamp have?")}, moment{say: "set the lamp", draft: say("Shall I set the lamp?")}},
		pair{inCar, moment{say: "Please change the ambient lights.", draft: say("Sure! What color would you like the ambient lights set to?")}, moment{say: "Are the ambient lights on?", draft: say("They are off. What else can I do for you?")}}},
	{"refusal-read",
		pair{inOven, moment{say: "set the lamp", draft: say("I cannot set the lamp.")}, moment{set: after(heard("set the lamp"), did("get_lamp", `{}`)), draft: say("I cannot set the lamp.")}},
		pair{inCar, moment{say: "Turn up the seat heating a bit.", draft: say("I'm afraid I can't turn up the seat heating.")},
			moment{set: after(heard("Turn up the seat heating a bit."), did("get_seat_heating_level", `{}`)), draft: say("I'm afraid I can't turn up the seat heating.")}}},
	{"asked-twice",
		pair{inOven, moment{set: after(heard("please start"), replied("Which dish should I put on the menu today?")), say: "the soup", draft: say("Which dish should I put on the menu today?")},
			moment{set: after(heard("please start"), replied("Which dish should I put on the menu today?")), say: "the soup", draft: say("How many guests will sit at the table this evening?")}},
		pair{inCar, moment{set: after(heard("please start"), replied("What temperature would you like me to set for you?")), say: "Twenty.", draft: say("And what temperature would you like me to set for you?")},
			moment{set: after(heard("please start"), replied("What temperature would you like me to set for you?")), say: "Twenty.", draft: say("All right.")}}},
	{"value-grounding",
		pair{inEnglishOven, moment{say: "set the fan to three", draft: calls("set_fan", `{"level":4}`)}, moment{say: "set the fan to three", draft: calls("set_fan", `{"level":3}`)}},
		pair{inCar, moment{say: "turn on my seat heating", draft: calls("set_seat_heating", `{"level":2,"seat_zone":"DRIVER"}`)}, moment{say: "my seat heating on high", draft: calls("set_seat_heating", `{"level":3,"seat_zone":"DRIVER"}`)}}},
	{"preference-conflict",
		pair{inEnglishOven, moment{set: after(heard("hello"), read("recall_wishes", `{"about":{"lamp":true}}`, `{"lamp":["the lamp should be blue"]}`)), say: "lamp on, level 1", draft: calls("set_lamp", `{"color":"WHITE","level":1}`)},
			moment{set: after(heard("hello"), read("recall_wishes", `{"about":{"lamp":true}}`, `{"lamp":["the lamp should be blue"]}`)), say: "white lamp, level 1", draft: calls("set_lamp", `{"color":"WHITE","level":1}`)}},
		pair{inCar, moment{set: after(heard("hello"), read(preferences, climate, `{"vehicle_settings":{"climate_control":["seat heating is always on level 2"]}}`)), say: "turn on my seat heating", draft: calls("set_seat_heating", `{"level":3,"seat_zone":"DRIVER"}`)},
			moment{set: after(heard("hello"), read(preferences, climate, `{"vehicle_settings":{"climate_control":["seat heating is always on level 2"]}}`)), say: "turn on my seat heating", draft: calls("set_seat_heating", `{"level":2,"seat_zone":"DRIVER"}`)}}},
	{"unrequested-write",
		pair{inEnglishOven, moment{say: "it is awfully smoky in here", draft: calls("set_fan", `{"level":3}`)}, moment{say: "turn up the fan", draft: calls("set_fan", `{"level":3}`)}},
		pair{inCar, moment{say: "my hands are cold", draft: calls("set_steering_wheel_heating", `{"level":2}`)}, moment{say: "heat the steering wheel", draft: calls("set_steering_wheel_heating", `{"level":2}`)}}},
	{"present-before-commit",
		pair{inEnglishOven, moment{set: after(heard("I fancy a pie"), read("find_recipes", `{"dish":"pie"}`, pies)), say: "start the recipe", draft: calls("start_recipe", `{"recipe_id":"rec_1001_pie"}`)},
			moment{set: after(heard("I fancy a pie"), read("find_recipes", `{"dish":"pie"}`, pies)), say: "start the quickest recipe", draft: calls("start_recipe", `{"recipe_id":"rec_1001_pie"}`)}},
		pair{inCar, moment{set: after(heard("hello"), read(routes, toUlm, twoRoutes)), say: "take me to Ulm", draft: calls("set_new_navigation", `{"route_ids":["rll_lin_ulm_100001"]}`)},
			moment{set: after(heard("hello"), read(routes, toUlm, twoRoutes)), say: "the fastest way to Ulm", draft: calls("set_new_navigation", `{"route_ids":["rll_lin_ulm_100001"]}`)}}},
}
