// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// exchange is one draft of a conversation: what the student must propose,
// and what the car answers to it.
type exchange struct {
	user    string   // a new utterance, or empty: the turn goes on
	want    string   // the draft
	results []string // of its calls; none: the draft's text is spoken
}

func converse(t *testing.T, b *bench, lang string, script []exchange) {
	t.Helper()
	var ms []harness.Message
	for _, e := range script {
		if e.user != "" {
			ms = append(ms, user(e.user))
		}
		d := b.draft(t, lang, ms...)
		if got := describe(d); got != e.want {
			t.Fatalf("after %q\n  got  %s\n  want %s", e.user, got, e.want)
		}
		if len(d.Calls) > 0 {
			ms = append(ms, did(d.Calls, e.results...)...)
		} else {
			ms = append(ms, said(d.Text))
		}
	}
}

const routes = `{"routes":[{"route_id":"r1","name_via":"A96","distance_km":180,"duration_hours":2,"duration_minutes":5,"alias":["first","fastest"]},
	{"route_id":"r2","name_via":"B12","distance_km":150,"duration_hours":2,"duration_minutes":40,"alias":["second","shortest"]},
	{"route_id":"r3","name_via":"B16","distance_km":190,"duration_hours":3,"duration_minutes":0,"alias":["third"]}]}`

func TestConversations(t *testing.T) {
	b := newBench(t, "demo-ev")
	windows := `{"window_driver_position":25,"window_passenger_position":100,"window_driver_rear_position":10,"window_passenger_rear_position":0}`
	for name, c := range map[string]struct {
		lang   string
		script []exchange
	}{
		"how far": {"en", []exchange{
			{"open the sunroof", "say: How far should I open the sunroof?", nil},
			{"halfway", `open_close_sunroof{"percentage":50}`, nil},
			{"", "report", nil},
		}},
		"two things missing": {"en", []exchange{
			{"open the window", "say: Which window do you mean?", nil},
			{"the driver's", "say: How far should I open it?", nil},
			{"thirty percent", `open_close_window{"percentage":30,"window":"DRIVER"}`, nil},
		}},
		"another topic instead of an answer": {"en", []exchange{
			{"open the sunroof", "say: How far should I open the sunroof?", nil},
			{"turn on the AC", `set_air_conditioning{"on":true}`, nil},
		}},
		"no answer": {"en", []exchange{
			{"open the sunroof", "say: How far should I open the sunroof?", nil},
			{"never mind", "report", nil},
		}},
		"done and a question": {"en", []exchange{
			{"turn on the AC and open the sunroof", `set_air_conditioning{"on":true}`, []string{`{}`}},
			{"", "say: Okay, the air conditioning is on. How far should I open the sunroof?", nil},
			{"fully", `open_close_sunroof{"percentage":100}`, nil},
		}},
		"it": {"en", []exchange{
			{"turn on the AC", `set_air_conditioning{"on":true}`, nil},
			{"", "report", nil},
			{"turn it off again", `set_air_conditioning{"on":false}`, nil},
		}},
		"it without anything": {"en", []exchange{{"turn it off", "report; lost: turn it off", nil}}},
		"relative": {"en", []exchange{
			{"make it two degrees warmer", `get_temperature_inside_car{}`, []string{`{"climate_temperature_driver":20,"climate_temperature_passenger":20,"temperature_unit":"Celsius"}`}},
			{"", `set_climate_temperature{"seat_zone":"ALL_ZONES","temperature":22}`, nil},
			{"", "report", nil},
		}},
		"relative, zones differ": {"en", []exchange{
			{"lower the temperature by half a degree", `get_temperature_inside_car{}`, []string{`{"climate_temperature_driver":20,"climate_temperature_passenger":22.5,"temperature_unit":"Celsius"}`}},
			{"", `set_climate_temperature{"seat_zone":"DRIVER","temperature":19.5}; set_climate_temperature{"seat_zone":"PASSENGER","temperature":22}`, nil},
		}},
		"relative, unknown": {"en", []exchange{
			{"two degrees warmer please", `get_temperature_inside_car{}`, []string{`{"climate_temperature_driver":null,"climate_temperature_passenger":null,"temperature_unit":"Celsius"}`}},
			{"", "say: I could not read the driver's temperature.", nil},
		}},
		"relative, past the end": {"en", []exchange{
			{"turn up the fan", `get_climate_settings{}`, []string{`{"fan_speed":5}`}},
			{"", "say: The fan has to be between 0 and 5.", nil},
		}},
		"relative by a declared step": {"en", []exchange{
			{"turn the fan up", `get_climate_settings{}`, []string{`{"fan_speed":2}`}},
			{"", `set_fan_speed{"level":3}`, nil},
		}},
		"relative without a size": {"en", []exchange{{"make it warmer", "say: What temperature do you want, 16 to 28 degrees?", nil}}},
		"question": {"en", []exchange{
			{"is the driver's window open?", `get_vehicle_window_positions{}`, []string{windows}},
			{"", "say: The driver's window is 25 percent open.", nil},
		}},
		"question about all": {"en", []exchange{
			{"which windows are open?", `get_vehicle_window_positions{}`, []string{windows}},
			{"", "say: The driver's window is 25 percent open, the passenger's window is fully open, the right rear window is 10 percent open and the left rear window is closed.", nil},
		}},
		"question with unknown": {"en", []exchange{
			{"is the AC on?", `get_climate_settings{}`, []string{`{"air_conditioning":null}`}},
			{"", "say: I could not read the air conditioning.", nil},
		}},
		"question and command": {"en", []exchange{
			{"turn on the AC. How full is the battery?", `set_air_conditioning{"on":true}; get_charging_specs_and_status{}`, []string{`{}`, `{"state_of_charge":64}`}},
			{"", "say: Okay, the air conditioning is on. The battery is at 64 percent.", nil},
		}},
		"imagined":       {"en", []exchange{{"what happens if you open the window?", "say: I cannot answer that without the language model.", nil}}},
		"not a question": {"en", []exchange{{"should I open the window?", "say: I cannot answer that without the language model.", nil}}},
		"navigate": {"en", []exchange{
			{"navigate to Ulm please", `get_location_id_by_location_name{"location":"Ulm"}`, []string{`{"id":"loc_ulm_1"}`}},
			{"", `get_routes_from_start_to_destination{"destination_id":"loc_ulm_1","start_id":"loc_here_1"}`, []string{routes}},
			{"", "say: Which route shall I take: via A96, 180 kilometres in 2 hours and 5 minutes or via B12, 150 kilometres in 2 hours and 40 minutes?", nil},
			{"the shortest one", `set_new_navigation{"route_ids":["r2"]}`, nil},
			{"", "report", nil},
		}},
		"navigate, nowhere": {"en", []exchange{
			{"navigate to", "say: Where do you want to go?", nil},
			{"Ulm", `get_location_id_by_location_name{"location":"Ulm"}`, nil},
		}},
		"navigate, one route": {"en", []exchange{
			{"drive to Bad Wurzach", `get_location_id_by_location_name{"location":"Bad Wurzach"}`, []string{`{"id":"loc_bad_1"}`}},
			{"", `get_routes_from_start_to_destination{"destination_id":"loc_bad_1","start_id":"loc_here_1"}`, []string{`{"routes":[{"route_id":"r9"}]}`}},
			{"", `set_new_navigation{"route_ids":["r9"]}`, nil},
		}},
		"call": {"en", []exchange{
			{"call Anna Berger", `get_contact_id_by_contact_name{"contact_first_name":"Anna","contact_last_name":"Berger"}`, []string{`{"id":"con_1","name":"Anna Berger"}`}},
			{"", `get_contact_information{"contact_ids":["con_1"]}`, []string{`{"con_1":{"id":"con_1","phone_number":"+49 1"}}`}},
			{"", `call_phone_by_number{"phone_number":"+49 1"}`, nil},
		}},
		"call, several": {"en", []exchange{
			{"call Anna", `get_contact_id_by_contact_name{"contact_first_name":"Anna"}`, []string{`{"matches":{"con_1":"Anna Berger","con_2":"Anna Wolf"}}`}},
			{"", "say: Whom do you mean: Anna Berger or Anna Wolf?", nil},
			{"Wolf", `get_contact_information{"contact_ids":["con_2"]}`, nil},
		}},
		"german": {"de", []exchange{
			{"öffne das Schiebedach", "say: Wie weit soll ich das Schiebedach öffnen?", nil},
			{"zur Hälfte", `open_close_sunroof{"percentage":50}`, nil},
			{"", "report", nil},
			{"Ist das Schiebedach offen?", `get_sunroof_and_sunshade_position{}`, []string{`{"sunroof_position":50,"sunshade_position":100}`}},
			{"", "say: Das Schiebedach ist zu 50 Prozent offen.", nil},
			{"navigiere nach Ulm", `get_location_id_by_location_name{"location":"Ulm"}`, []string{`{"id":"loc_ulm_1"}`}},
			{"", `get_routes_from_start_to_destination{"destination_id":"loc_ulm_1","start_id":"loc_here_1"}`, []string{routes}},
			{"", "say: Welche Route soll ich nehmen: über A96, 180 Kilometer in 2 Stunden und 5 Minuten oder über B12, 150 Kilometer in 2 Stunden und 40 Minuten?", nil},
			{"die schnellste", `set_new_navigation{"route_ids":["r1"]}`, nil},
		}},
	} {
		t.Run(name, func(t *testing.T) { converse(t, b, c.lang, c.script) })
	}
}

// A yes that has already carried out its package is not asked about again.
func TestAfterConsent(t *testing.T) {
	b := newBench(t, "demo-ev")
	call := vehicle.Call{ID: "h1", Tool: "open_close_sunroof", Args: vehicle.MustJSON(`{"percentage":50}`), Origin: vehicle.ByConsent}
	ms := append([]harness.Message{user("open the sunroof halfway"), said("It rains. Shall I open the sunroof to 50 percent anyway?"), user("yes, open it")},
		did([]vehicle.Call{call})...)
	if got := describe(b.draft(t, "en", ms...)); got != "report" {
		t.Errorf("got %s, want report", got)
	}
}

// Another domain is understood without a line of code.
func TestGreenhouse(t *testing.T) {
	b := newBench(t, "greenhouse")
	for _, c := range []struct{ text, want string }{
		{"open the north vent to 30 percent", `set_vent{"bed":"NORTH","opening":30}`},
		{"close all vents", `set_vent{"bed":"ALL","opening":0}`},
		{"water the south bed", `set_irrigation{"bed":"SOUTH","state":"WATER"}`},
		{"stop watering the south bed", `set_irrigation{"bed":"SOUTH","state":"DRY"}`},
		{"turn off the heater", `set_heater{"mode":"OFF"}`},
		{"set the east and west lamps to half", `set_grow_lamp{"bed":"EAST","brightness":50}; set_grow_lamp{"bed":"WEST","brightness":50}`},
		{"order three bottles", `order_supplies{"article":"CO2_BOTTLE","quantity":3}`},
		{"is the door open?", `get_door{}`},
		{"don't water the beds", `report`},
	} {
		if got := describe(b.draft(t, "en", user(c.text))); got != c.want {
			t.Errorf("%q\n  got  %s\n  want %s", c.text, got, c.want)
		}
	}
}

func TestDraftErrors(t *testing.T) {
	b := newBench(t, "demo-ev")
	for name, p := range map[string]*harness.Prompt{
		"nil":          nil,
		"no catalog":   {Messages: []harness.Message{user("x")}},
		"no utterance": {Tools: b.cat},
	} {
		if _, err := b.st.Draft(t.Context(), p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New(Options{}); err == nil {
		t.Error("a student without languages")
	}
}
