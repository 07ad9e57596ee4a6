// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/carguardd/carguardd/vehicle"
)

// readByArgument is an oven that tells its program only to those who say of
// which meal.
func readByArgument(t *testing.T, without ...string) *bench {
	t.Helper()
	w := ovenWorld()
	input, err := vehicle.ParseSchema(vehicle.MustJSON(`{"type":"object","properties":{"meal":{"type":"string"}},"required":["meal"]}`))
	if err != nil || w.err != nil {
		t.Fatal(err, w.err)
	}
	return newBench(t, w, without, &vehicle.Tool{Name: "get_program", Access: vehicle.Read, Input: input, Declared: true,
		Returns: []vehicle.Return{{Signal: w.profile.Signal("program").ID, Path: vehicle.MustPath("program")}}})
}

// The lines of the list of behaviours that each belong to one gate, by their
// numbers, in the oven and with the in-car tools.
func TestBehaviourByGate(t *testing.T) {
	lampWish := read("recall_wishes", `{"about":{"lamp":true}}`, `{"lamp":[]}`)
	lampRead := did("get_lamp", `{}`)
	nothing := read(preferences, `{"preference_categories":{"vehicle_settings":{"vehicle_settings":true}}}`, `{"vehicle_settings":{"vehicle_settings":[]}}`)
	lights := did("get_ambient_light_status_and_color", `{}`)
	lamp := calls("set_lamp", `{"color":"BLUE","level":2}`)
	shops := calls("find_grocers", `{"town":"north","only":["open_now"]}`)
	places := calls("search_poi_at_location", `{"location_id":"loc_lin_545923","category_poi":"supermarkets","filters":["any::currently_open"]}`)
	nulled := read("get_state", `{}`, `{"fan":null,"heater":false,"grill":false,"cleaner":false}`)
	heat := did("set_heater", `{"on":true}`)
	servings := ovenWith(`- {id: more, type: constraint, policy: So it is., on: [{call: start_recipe}], must: [{arg: servings, known: true}], say: {en: "For how many?"}}`)
	for gate, table := range map[string][]behaviour{
		"constraint": {
			{id: "A1.10 a parameter that a rule always wants is missing", car: servings, say: "start the pie", draft: calls("start_recipe", `{"recipe_id":"pie"}`), want: []string{"constraint block more"}},
			{id: "A1.11 it is there", car: servings, say: "start the pie", draft: calls("start_recipe", `{"recipe_id":"pie","servings":4}`)},
			{id: "A4.30 a rule about the form of a read has it made anew, and never holds a write", car: inCar, say: "open the trunk", draft: calls("open_close_trunk_door", `{"action":"OPEN"}`)},
		},
		"missing-capability": {
			{id: "A3.16 what a rule wants changed can be changed", car: inOven, set: doorOpen("turn on the heater"), say: "-", draft: calls("set_heater", `{"on":true}`)},
			{id: "A3.16 in the car", car: inCar, set: passengerOpen("turn on the AC"), say: "-", draft: ac},
			{id: "A3.17 the level of a thing that can be set", car: inOven, say: "set the level of the lamp", draft: say("Which level?")},
			{id: "A3.17 the position of a window", car: inCar, say: "What is the position of my window?", draft: say("It is closed.")},
			{id: "A3.19 a tool that only takes notes is no thing", car: lacking(inOven, "plan"), say: "plan the evening", draft: say("All right.")},
			{id: "A3.19 nor is one that calculates", car: lacking(inCar, "calculate_math"), say: "Calculate my tip.", draft: say("All right.")},
			{id: "A3.20 one of two tools for a thing is missing", car: lacking(inOven, "drop_course"), say: "add a course", draft: calls("add_course", `{"dish":"soup"}`)},
			{id: "A3.20 in the car", car: lacking(inCar, "set_head_lights_high_beams"), say: "Turn on the low beams.", draft: calls("set_head_lights_low_beams", `{"on":true}`)},
			{id: "A7.44 a parameter is gone, the tool is there: the reply says so", car: withoutArg(ovenWorld, "set_lamp", `{"type":"object","properties":{"level":{"type":"number"}},"required":["level"]}`),
				say: "set the lamp", draft: say("I cannot choose the color of the lamp.")},
		},
		"preferences-first": {
			{id: "A5.31 A5.33 the first change, unread", car: inOven, say: "set the lamp to blue", draft: lamp, want: []string{"preferences-first " + recallLamp}},
			{id: "A5.32 A5.33 read once", car: inOven, set: after(heard("hello"), lampWish, replied("Hello.")), say: "set the lamp to blue", draft: lamp},
			{id: "A5.31 in the car", car: inCar, say: "open the sunroof", draft: calls("open_close_sunroof", `{"percentage":50}`),
				want: []string{`preferences-first read +get_user_preferences{"preference_categories":{"vehicle_settings":{"vehicle_settings":true},"weather":{"weather":true}}}`}},
			{id: "A5.32 read once, in the car", car: inCar, set: after(heard("hello"), nothing, replied("Hello.")), say: "Ambient lights on.", draft: calls("set_ambient_lights", `{"on":true,"lightcolor":"RED"}`)},
		},
		"ask-before-reading": {
			{id: "A6.34 A6.35 A6.40 all is unread", car: inOven, say: "set the lamp", draft: say("Which color should the lamp have?"), want: []string{"ask-before-reading " + recallLamp + " +get_lamp{}"}},
			{id: "A6.35 the preferences are read", car: inOven, set: after(heard("set the lamp"), lampWish), say: "-", draft: say("Which color should the lamp have?"), want: []string{"ask-before-reading read +get_lamp{}"}},
			{id: "A6.36 a yes or no", car: inOven, say: "set the lamp", draft: say("Shall I set the lamp?")},
			{id: "A6.37 A6.40 everything was read", car: inOven, set: after(heard("set the lamp"), lampWish, lampRead), say: "-", draft: say("Which color should the lamp have?")},
			{id: "A6.38 rules need a reading, listed first", car: inOven, say: "turn on the heater", draft: say("How hot should the heater be?"), want: []string{"ask-before-reading read +get_door_positions{} +get_state{}"}},
			{id: "A6.39 after these", car: inOven, set: after(heard("turn on the heater"), readAll), say: "-", draft: say("How hot should the heater be?")},
			{id: "A6.34 A6.35 in the car", car: inCar, say: "Please change the ambient lights.", draft: say("What color would you like the ambient lights set to?"),
				want: []string{`ask-before-reading read +get_user_preferences{"preference_categories":{"vehicle_settings":{"vehicle_settings":true}}} +get_ambient_light_status_and_color{}`}},
			{id: "A6.36 in the car", car: inCar, say: "Please change the ambient lights.", draft: say("Shall I switch the ambient lights on, or leave them?")},
			{id: "A6.37 A6.39 in the car", car: inCar, set: after(heard("Please change the ambient lights."), nothing, lights), say: "-", draft: say("What color would you like the ambient lights set to?")},
		},
		"refusal-read": {
			{id: "A7.47 nobody looked", car: inOven, say: "set the lamp", draft: say("I cannot set the lamp."), want: []string{"refusal-read read +get_lamp{}"}},
			{id: "A7.48 somebody looked", car: inOven, set: after(heard("set the lamp"), lampRead), say: "-", draft: say("I cannot set the lamp.")},
			{id: "A7.49 nothing can set it", car: lacking(inOven, "set_lamp"), say: "set the lamp", draft: say("I cannot set the lamp.")},
			{id: "A7.50 the read needs arguments", car: readByArgument, say: "set the program", draft: say("I cannot set the program.")},
			{id: "A7.51 no refusal", car: inOven, say: "set the lamp", draft: say("All right.")},
			{id: "A7.47 in the car", car: inCar, say: "Turn up the seat heating a bit.", draft: say("I'm afraid I can't turn up the seat heating."), want: []string{"refusal-read read +get_seat_heating_level{}"}},
			{id: "A7.48 in the car", car: inCar, set: after(heard("Turn up the seat heating a bit."), did("get_seat_heating_level", `{}`)), say: "-", draft: say("I'm afraid I can't turn up the seat heating.")},
			{id: "A7.49 in the car", car: lacking(inCar, "set_seat_heating"), say: "Turn up the seat heating a bit.", draft: say("I'm afraid I can't turn up the seat heating.")},
			{id: "A7.51 in the car", car: inCar, say: "Turn up the seat heating a bit.", draft: say("All right.")},
		},
		"unknown-hidden": {
			{id: "A8.52 success, and nothing of what is unknown", car: inOven, set: after(heard("turn on the heater"), nulled, heat), say: "-", draft: say("I've turned on the heater."), want: []string{"unknown-hidden repair"}},
			{id: "A8.53 it is said", car: inOven, set: after(heard("turn on the heater"), nulled, heat), say: "-", draft: say("I've turned on the heater. The fan is unknown.")},
			{id: "A8.54 nothing is unknown", car: inOven, set: after(heard("turn on the heater"), did("get_state", `{}`), heat), say: "-", draft: say("I've turned on the heater.")},
			{id: "B41 the unknown has nothing to do with it", car: inOven, set: after(heard("set the lamp"), nulled, did("set_lamp", `{"color":"RED","level":1}`)), say: "-", draft: say("I've set the lamp.")},
			{id: "B41 a later read told it", car: inOven, set: after(heard("turn on the heater"), nulled, did("get_state", `{}`), heat), say: "-", draft: say("I've turned on the heater.")},
			{id: "A8.52 B41 the word unknown, in the car", car: inCar, set: after(heard("turn on my seat heating"), read("get_seat_heating_level", `{}`, `{"seat_heating_driver":"unknown","seat_heating_passenger":0}`),
				did("set_seat_heating", `{"level":1,"seat_zone":"DRIVER"}`)), say: "-", draft: say("I've turned on your seat heating."), want: []string{"unknown-hidden repair"}},
			{id: "A8.54 in the car", car: inCar, set: after(heard("turn on my seat heating"), did("get_seat_heating_level", `{}`), did("set_seat_heating", `{"level":1,"seat_zone":"DRIVER"}`)), say: "-", draft: say("I've turned on your seat heating.")},
		},
		"plan-unfinished": {
			{id: "A9.59 a step is left", car: inOven, set: after(heard("set the fan and the lamp"), read("plan", `{"steps":[{"what":"set the lamp","status":"todo"}]}`, `{}`), did("set_fan", `{"level":1}`)), say: "-",
				draft: say("I've set the fan."), want: []string{"plan-unfinished say"}, note: "set the lamp"},
			{id: "A9.60 all steps are done", car: inOven, set: after(heard("set the fan and the lamp"), read("plan", `{"steps":[{"what":"set the lamp","status":"done"}]}`, `{}`), did("set_fan", `{"level":1}`)), say: "-", draft: say("I've set the fan.")},
		},
		"exclusive-calls": {
			{id: "A10.68 emptied and filled in one draft", car: inOven, say: "please do it", draft: calls("clear_menu", `{}`, "start_menu", `{"dishes":["soup"]}`), want: []string{"exclusive-calls block"}, note: "add_course"},
			{id: "A10.69 emptied a step before", car: inOven, set: after(heard("please do it"), did("clear_menu", `{}`)), say: "-", draft: calls("start_menu", `{"dishes":["soup"]}`), want: []string{"exclusive-calls block"}},
			{id: "A10.70 filled alone", car: inOven, say: "please do it", draft: calls("start_menu", `{"dishes":["soup"]}`)},
			{id: "A10.68 in the car", car: inCar, say: "Take Rome out of it.", draft: calls("delete_current_navigation", `{}`, "set_new_navigation", `{"route_ids":["rll_one_two_123456"]}`), want: []string{"exclusive-calls block"}, note: "navigation_delete_waypoint"},
			{id: "A10.70 in the car", car: inCar, say: "Drive to Rome.", draft: calls("set_new_navigation", `{"route_ids":["rll_one_two_123456"]}`)},
		},
		"future-condition": {
			{id: "A13.85 later, filtered by now", car: inOven, say: "which grocers are open later?", draft: shops, want: []string{`future-condition repair =find_grocers{"town":"north"}`}},
			{id: "A13.87 now", car: inOven, say: "which grocers are open now?", draft: shops},
			{id: "A13.85 in the car", car: inCar, say: "Find me a supermarket that is open when I get there.", draft: places,
				want: []string{`future-condition repair =search_poi_at_location{"category_poi":"supermarkets","location_id":"loc_lin_545923"}`}},
			{id: "A13.86 refused for want of a filter", car: inCar, say: "Find me a supermarket that is open when I arrive.", draft: say("I'm afraid I can't do that, I can only filter by what is currently open."), want: []string{"future-condition say"}},
			{id: "A13.87 in the car", car: inCar, say: "Find me a supermarket that is open right now.", draft: places},
			{id: "A13.88 it really cannot be done", car: inCar, say: "Book me a table for tomorrow.", draft: say("I'm afraid I can't book tables.")},
			{id: "B43 this moment in a thought", car: inOven, say: "what is for later?", draft: calls("note", `{"text":"open now, open later"}`)},
			{id: "B43 this moment in a report", car: inCar, say: "Will it be warm when I arrive?", draft: say("It is currently 21 degrees.")},
		},
		"schema": {
			{id: "A17.144 a whole number that arrives as a float", car: inOven, say: "fan to 3", draft: calls("set_fan", `{"level":3.0}`)},
			{id: "A17.144 in the car", car: inCar, say: "fan to 3", draft: calls("set_fan_speed", `{"level":3.0}`)},
		},
	} {
		t.Run(gate, func(t *testing.T) { only(t, gate, table) })
	}
}
