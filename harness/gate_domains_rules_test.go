// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

const (
	ovenOnce   = `- {id: once, type: constraint, policy: So it is., on: [{call: set_fan}], must: [{arg: level, le: 3}], say: {en: "Not that much."}}`
	seeds      = `{"offers":[{"offer_id":"offer_1","article":"SEEDS","price":3,"organic":false},{"offer_id":"offer_2","article":"SEEDS","price":5,"organic":true}]}`
	carFastest = `- {id: fastest, type: selection, policy: So it is., on: [{call: set_new_navigation}], choose: {arg: "route_ids[0]", peers: [start_id, destination_id], where: [{candidate: alias, has: fastest}]}, say: {en: "There is a faster one.", de: "Es gibt eine schnellere."}}`
)

var ac = calls("set_air_conditioning", `{"on":true}`)

// passengerOpen is a car of which the passenger's window is open, and all was read.
func passengerOpen(say string) func(b *bench) {
	return after(states("window_passenger_position", "50", "window_passenger_rear_position", "10", "fan_speed", "1"), heard(say),
		did("get_vehicle_window_positions", `{}`, "get_climate_settings", `{}`))
}

func doorOpen(say string) func(b *bench) {
	return after(states("door_left_position", "50", "door_right_position", "10", "fan", "1"), heard(say), readAll)
}

// What rules want.
var ruleCases = []twoDomains{
	{"gather",
		pair{inOven, moment{say: "turn on the heater", draft: calls("set_heater", `{"on":true}`)}, moment{set: after(heard("turn on the heater"), readAll), draft: calls("set_heater", `{"on":true}`)}},
		pair{inCar, moment{say: "turn on the AC", draft: ac}, moment{set: passengerOpen("turn on the AC"), draft: ac}}},
	{"obligation",
		pair{inOven, moment{set: doorOpen("turn on the heater"), draft: calls("set_heater", `{"on":true}`)},
			moment{set: doorOpen("turn on the heater"), draft: calls("open_close_door", `{"door":"LEFT","percentage":0}`, "set_heater", `{"on":true}`)}},
		pair{inCar, moment{set: passengerOpen("turn on the AC"), draft: ac},
			moment{set: passengerOpen("turn on the AC"), draft: calls("open_close_window", `{"window":"PASSENGER","percentage":0}`, "set_air_conditioning", `{"on":true}`)}}},
	{"excess",
		pair{inOven, moment{set: doorOpen("please do it"), draft: calls("open_close_door", `{"door":"ALL","percentage":0}`, "set_heater", `{"on":true}`)},
			moment{set: doorOpen("please do it"), draft: calls("open_close_door", `{"door":"LEFT","percentage":0}`, "set_heater", `{"on":true}`)}},
		pair{inCar, moment{set: passengerOpen("turn on the AC"), draft: calls("open_close_window", `{"window":"ALL","percentage":0}`, "set_air_conditioning", `{"on":true}`)},
			moment{set: passengerOpen("turn on the AC and close all windows"), draft: calls("open_close_window", `{"window":"ALL","percentage":0}`, "set_air_conditioning", `{"on":true}`)}}},
	{"owed-on-reply",
		pair{inOven, moment{set: after(doorOpen("turn on the heater"), did("set_heater", `{"on":true}`)), draft: say("All right.")},
			moment{set: after(doorOpen("turn on the heater"), did("set_heater", `{"on":true}`), did("open_close_door", `{"door":"LEFT","percentage":0}`)), draft: say("All right.")}},
		pair{inCar, moment{set: after(passengerOpen("turn on the AC"), did("set_air_conditioning", `{"on":true}`)), draft: say("All right.")},
			moment{set: after(passengerOpen("turn on the AC"), did("open_close_window", `{"window":"PASSENGER","percentage":0}`), did("set_air_conditioning", `{"on":true}`)), draft: say("All right.")}}},
	{"precondition",
		pair{inOven, moment{set: after(heard("hood to 50"), readAll), draft: calls("move_hood", `{"percentage":50}`)},
			moment{set: after(states("flap", "100"), heard("hood to 50"), readAll), draft: calls("move_hood", `{"percentage":50}`)}},
		pair{inCar, moment{set: after(heard("sunroof to 50"), did("get_sunroof_and_sunshade_position", `{}`)), draft: calls("open_close_sunroof", `{"percentage":50}`)},
			moment{set: after(states("sunshade_position", "100"), heard("sunroof to 50"), did("get_sunroof_and_sunshade_position", `{}`)), draft: calls("open_close_sunroof", `{"percentage":50}`)}}},
	{"prohibition",
		pair{inOven, moment{set: after(states("grill", "true"), heard("clean it"), readAll), draft: calls("set_cleaner", `{"on":true}`)}, moment{set: after(heard("clean it"), readAll), draft: calls("set_cleaner", `{"on":true}`)}},
		pair{inCar, moment{set: after(states("fog_lights", "true"), heard("high beams on"), did("get_exterior_lights_status", `{}`)), draft: calls("set_head_lights_high_beams", `{"on":true}`)},
			moment{set: after(heard("high beams on"), did("get_exterior_lights_status", `{}`)), draft: calls("set_head_lights_high_beams", `{"on":true}`)}}},
	{"constraint",
		pair{ovenWith(ovenOnce), moment{say: "fan to 5", draft: calls("set_fan", `{"level":5}`)}, moment{say: "fan to 3", draft: calls("set_fan", `{"level":3}`)}},
		pair{inCar, moment{say: "how will the weather be?", draft: calls("get_weather", `{"location_or_poi_id":"loc_lin_545923","month":3,"day":15,"time_hour_24hformat":10}`)},
			moment{say: "how will the weather be?", draft: calls("get_weather", `{"location_or_poi_id":"loc_lin_545923","month":3,"day":14,"time_hour_24hformat":10}`)}}},
	{"selection",
		pair{inGreenhouse, moment{set: after(heard("order seeds"), read("get_offers", `{"article":"SEEDS"}`, seeds)), draft: calls("order_offer", `{"offer_id":"offer_1"}`)},
			moment{set: after(heard("order seeds"), read("get_offers", `{"article":"SEEDS"}`, seeds)), draft: calls("order_offer", `{"offer_id":"offer_2"}`)}},
		pair{carWith(carFastest), moment{set: after(heard("drive to Ulm"), read(routes, toUlm, twoRoutes)), draft: calls("set_new_navigation", `{"route_ids":["rll_lin_ulm_100002"]}`)},
			moment{set: after(heard("drive to Ulm"), read(routes, toUlm, twoRoutes)), draft: calls("set_new_navigation", `{"route_ids":["rll_lin_ulm_100001"]}`)}}},
	{"missing-capability",
		pair{lacking(inOven, "set_lamp"), moment{say: "set the lamp", draft: say("All right.")}, moment{say: "set the lamp", draft: say("I cannot set the lamp.")}},
		pair{lacking(inCar, "open_close_sunshade"), moment{say: "Open the sunshade, please.", draft: say("Sure, shall I open it all the way?")}, moment{say: "Open the sunshade, please.", draft: say("I'm afraid I can't move the sunshade.")}}},
	{"confirmation",
		pair{inOven, moment{set: after(heard("clean it"), readAll), draft: calls("set_cleaner", `{"on":true}`)}, moment{say: "fan to 1", draft: calls("set_fan", `{"level":1}`)}},
		pair{inCar, moment{say: "email them", draft: calls("send_email", `{"content_message":"hi","email_addresses":["a@example.org"]}`)},
			moment{set: after(heard("email hi to a@example.org"), replied("Shall I send an email with the message hi to a@example.org?")), say: "yes", draft: calls("send_email", `{"content_message":"hi","email_addresses":["a@example.org"]}`)}}},
	{"disclosure",
		pair{inOven, moment{set: after(states("flap", "100"), heard("hood to 50"), readAll, did("move_hood", `{"percentage":50}`)), draft: say("All right.")},
			moment{set: after(states("flap", "100"), heard("hood to 50"), readAll, did("move_hood", `{"percentage":50}`)), draft: say("The hood is at 50.")}},
		pair{inCar, moment{set: after(states("climate_temperature_driver", "20", "climate_temperature_passenger", "20"), heard("passenger to 26 degrees"), did("get_temperature_inside_car", `{}`), did("set_climate_temperature", `{"temperature":26,"seat_zone":"PASSENGER"}`)), draft: say("The passenger side is at 26 degrees now.")},
			moment{set: after(states("climate_temperature_driver", "20", "climate_temperature_passenger", "25"), heard("passenger to 22 degrees"), did("get_temperature_inside_car", `{}`), did("set_climate_temperature", `{"temperature":22,"seat_zone":"PASSENGER"}`)), draft: say("The passenger side is at 22 degrees now.")}}},
}

// inGreenhouse is another invented domain, whose look-ups say what they list.
func inGreenhouse(t *testing.T, without ...string) *bench {
	w := world{}
	if w.profile, w.err = vehicle.Load(testdata.FS, testdata.Greenhouse); w.err == nil {
		w.set, w.err = rules.Load(testdata.FS, testdata.GreenhouseBundle, vehicle.NewCatalog(w.profile))
	}
	w.lang = func(cat *vehicle.Catalog) harness.Language { return englishTongue(t, cat) }
	return newBench(t, w, without)
}

// lacking is a domain without a tool.
func lacking(in domain, tool string) domain {
	return func(t *testing.T, without ...string) *bench { return in(t, append(without, tool)...) }
}

// What a reply hides, promises or leaves out.
var replyCases = []twoDomains{
	{"unknown-hidden",
		pair{inOven, moment{set: after(heard("turn on the heater"), read("get_state", `{}`, `{"fan":null,"heater":false,"grill":false,"cleaner":false}`), did("set_heater", `{"on":true}`)), draft: say("I've turned on the heater.")},
			moment{set: after(heard("turn on the heater"), read("get_state", `{}`, `{"fan":null,"heater":false,"grill":false,"cleaner":false}`), did("set_heater", `{"on":true}`)), draft: say("I've turned on the heater. The fan is unknown.")}},
		pair{inCar, moment{set: after(heard("turn on my seat heating"), read("get_seat_heating_level", `{}`, `{"seat_heating_driver":"unknown","seat_heating_passenger":0}`), did("set_seat_heating", `{"level":1,"seat_zone":"DRIVER"}`)), draft: say("I've turned on your seat heating.")},
			moment{set: after(heard("turn on my seat heating"), did("get_seat_heating_level", `{}`), did("set_seat_heating", `{"level":1,"seat_zone":"DRIVER"}`)), draft: say("I've turned on your seat heating.")}}},
	{"plan-unfinished",
		pair{inOven, moment{set: after(heard("set the fan and the lamp"), read("plan", `{"steps":[{"what":"set the lamp","status":"todo"}]}`, `{}`), did("set_fan", `{"level":1}`)), draft: say("I've set the fan.")},
			moment{set: after(heard("set the fan and the lamp"), read("plan", `{"steps":[{"what":"set the lamp","status":"done"}]}`, `{}`), did("set_fan", `{"level":1}`)), draft: say("I've set the fan.")}},
		pair{inCar, moment{set: after(heard("Switch the fog lights on."), read("planning_tool", `{"command":"get"}`, `{"plan_details":{"steps":[{"step_description":"Turn up the seat heating","status":"unresolved_and_not_started"}]}}`)), draft: say("Done, I've switched the fog lights on.")},
			moment{set: after(heard("Switch the fog lights on."), read("planning_tool", `{"command":"get"}`, `{"plan_details":{"steps":[{"step_description":"Turn up the seat heating","status":"completed"}]}}`)), draft: say("Done, I've switched the fog lights on.")}}},
	{"output-integrity",
		pair{inEnglishOven, moment{say: "hello", draft: say("The fan is at level two and the")}, moment{say: "hello", draft: say("The fan is at level two.")}},
		pair{inCar, moment{say: "hello", draft: say("I will open the driver's window and the")}, moment{say: "hello", draft: say("The driver's window is closed.")}}},
	{"completion",
		pair{inEnglishOven, moment{say: "turn on the heater", draft: say("I've turned on the heater.")}, moment{set: after(heard("turn on the heater"), did("set_heater", `{"on":true}`)), draft: say("I've turned on the heater.")}},
		pair{inCar, moment{say: "turn on the fog lights", draft: say("I've turned on the fog lights.")}, moment{set: after(heard("turn on the fog lights"), did("set_fog_lights", `{"on":true}`)), draft: say("I've turned on the fog lights.")}}},
}
