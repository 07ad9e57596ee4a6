// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/cmd/carguardd/rig/oracle"
	"github.com/carguardd/carguardd/vehicle"
)

// wish is a command with what it wants: the student mostly drafts that, often
// with other calls and now and then badly.
type wish struct {
	text string
	tool string
	args string // JSON
}

// wishes are what a driver commands.
var wishes = []wish{
	{"turn on the air conditioning", "set_air_conditioning", `{"on":true}`},
	{"turn the air conditioning off", "set_air_conditioning", `{"on":false}`},
	{"open all windows", "open_close_window", `{"window":"ALL","percentage":100}`},
	{"open the driver's window halfway", "open_close_window", `{"window":"DRIVER","percentage":50}`},
	{"open all windows to 60 percent and turn the air conditioning on", "open_close_window", `{"window":"ALL","percentage":60}`},
	{"close the passenger window", "open_close_window", `{"window":"PASSENGER","percentage":0}`},
	{"close all windows", "open_close_window", `{"window":"ALL","percentage":0}`},
	{"open the sunroof", "open_close_sunroof", `{"percentage":100}`},
	{"open the sunroof to 40 percent", "open_close_sunroof", `{"percentage":40}`},
	{"close the sunroof", "open_close_sunroof", `{"percentage":0}`},
	{"open the sunshade", "open_close_sunshade", `{"percentage":100}`},
	{"close the sunshade", "open_close_sunshade", `{"percentage":0}`},
	{"defrost the windshield", "set_window_defrost", `{"on":true,"defrost_window":"FRONT"}`},
	{"switch the defrosting off", "set_window_defrost", `{"on":false,"defrost_window":"ALL"}`},
	{"set the fan to level 3", "set_fan_speed", `{"level":3}`},
	{"turn the fan off and defrost the windscreen", "set_fan_speed", `{"level":0}`},
	{"let the air flow to my feet", "set_fan_airflow_direction", `{"direction":"FEET"}`},
	{"switch the fog lights on", "set_fog_lights", `{"on":true}`},
	{"fog lights off please", "set_fog_lights", `{"on":false}`},
	{"turn on the high beams", "set_head_lights_high_beams", `{"on":true}`},
	{"high beams off", "set_head_lights_high_beams", `{"on":false}`},
	{"turn on the low beams", "set_head_lights_low_beams", `{"on":true}`},
	{"turn the low beams off", "set_head_lights_low_beams", `{"on":false}`},
	{"set my temperature to 22 degrees", "set_climate_temperature", `{"temperature":22,"seat_zone":"DRIVER"}`},
	{"make it 27 degrees for the passenger", "set_climate_temperature", `{"temperature":27,"seat_zone":"PASSENGER"}`},
	{"set the temperature to 20 degrees", "set_climate_temperature", `{"temperature":20,"seat_zone":"ALL_ZONES"}`},
	{"set my seat heating to level 2", "set_seat_heating", `{"level":2,"seat_zone":"DRIVER"}`},
	{"set the ambient light to red", "set_ambient_lights", `{"on":true,"lightcolor":"RED"}`},
	{"open the trunk", "open_close_trunk_door", `{"action":"OPEN"}`},
	{"close the trunk", "open_close_trunk_door", `{"action":"CLOSE"}`},
	{"set the charge limit to 100 percent", "set_charge_limit", `{"percentage":100}`},
	{"charge to 70 percent", "set_charge_limit", `{"percentage":70}`},
	{"set the charge limit to 40 percent", "set_charge_limit", `{"percentage":40}`},
	{"start charging", "start_stop_charging", `{"action":"START"}`},
	{"stop charging", "start_stop_charging", `{"action":"STOP"}`},
	{"open the charge flap", "open_close_charge_flap", `{"action":"OPEN"}`},
	{"close the charge flap", "open_close_charge_flap", `{"action":"CLOSE"}`},
	{"switch all reading lights on", "set_reading_light", `{"position":"ALL","on":true}`},
	{"switch the reading lights off", "set_reading_light", `{"position":"ALL","on":false}`},
	{"set the steering wheel heating to level 1", "set_steering_wheel_heating", `{"level":1}`},
	{"use fresh air", "set_air_circulation", `{"mode":"FRESH_AIR"}`},
	{"navigate to Ulm", "set_new_navigation", `{}`},
	{"add a stop in Kempten", "navigation_add_one_waypoint", `{}`},
	{"change the destination to Ravensburg", "navigation_replace_final_destination", `{}`},
	{"remove the destination", "navigation_delete_destination", `{}`},
	{"delete the stop in Ravensburg", "navigation_delete_waypoint", `{}`},
	{"end the navigation", "delete_current_navigation", `{}`},
	{"send Mara an email that I am late", "send_email", `{"content_message":"I am late."}`},
	{"call +49 89 99998 331", "call_phone_by_number", `{"phone_number":"+49 89 99998 331"}`},
	{"read me my appointments", "get_entries_from_calendar", `{}`},
	{"tell me the weather in Bregenz", "get_weather", `{}`},
	{"do everything you can", "think", `{}`},
}

// What else a driver says.
var (
	questions = []string{
		"is the air conditioning on?", "how far is the sunroof open?", "what is the weather like?", "are the fog lights on?",
		"which windows are open?", "how much charge do we have?", "when is my next appointment?", "what is the charge limit?",
		"why is it so warm in here?", "where are we going?",
	}
	chat    = []string{"thank you", "it is a lovely day", "I like this song", "we are late", "please do not open the windows"}
	yeses   = []string{"yes", "yes please", "yes, go ahead", "sure", "okay, do it"}
	noes    = []string{"no", "no thanks", "no, please don't"}
	unclear = []string{"hm", "maybe", "what do you mean?", "yes, but not the rear one", "yes, but later", "I am not sure"}
	choices = []string{"the first one", "the second one"}
)

// driver makes up what is said next.
type driver struct {
	r        *rand.Rand
	question *oracle.Question // that waits
	heard    string           // the last reply
	trip     *strings.Replacer
}

// say says yes to a third of the questions. Most of what it says otherwise are
// wishes and errands, half of them one of those about, if there are any. Without
// a trip there are no errands.
func (d driver) say(about []errand) (oracle.Said, errand) {
	if d.question != nil || strings.Contains(d.heard, "?") {
		switch n := d.r.IntN(9); {
		case n < 3:
			return d.yes(), errand{}
		case n < 5:
			return oracle.Said{Text: pick(d.r, noes), No: true}, errand{}
		case n < 7:
			t := pick(d.r, unclear)
			return oracle.Said{Text: t, Question: t[len(t)-1] == '?'}, errand{}
		}
	}
	switch n := d.r.IntN(30); {
	case n == 0:
		return oracle.Said{Text: "stop", Stop: true}, errand{}
	case n < 4:
		return oracle.Said{Text: pick(d.r, questions), Question: true}, errand{}
	case n < 6:
		return oracle.Said{Text: pick(d.r, chat)}, errand{}
	}
	e := errand{wish: pick(d.r, wishes)}
	switch {
	case len(about) > 0 && d.r.IntN(2) == 0:
		e = pick(d.r, about)
	case d.trip != nil && d.r.IntN(3) == 0:
		e = pick(d.r, allErrands)
	}
	if d.trip != nil {
		e = e.on(d.trip)
	}
	return oracle.Said{Text: e.text, Yes: d.insists(e.wish), Fastest: e.fastest}, e
}

// insists reports whether the driver commands once more just what he was asked
// about: that is a yes to it.
func (d driver) insists(w wish) bool {
	if d.question == nil || len(d.question.Packages) != 1 || w.args == "" {
		return false
	}
	call := vehicle.Call{Tool: w.tool, Args: vehicle.MustJSON(w.args)}
	return slices.ContainsFunc(d.question.Packages[0], func(c vehicle.Call) bool { return c.Canonical() == call.Canonical() })
}

func (d driver) yes() oracle.Said {
	if d.question != nil && len(d.question.Packages) > 1 {
		n := d.r.IntN(len(choices))
		return oracle.Said{Text: choices[n], Yes: true, Option: n}
	}
	return oracle.Said{Text: pick(d.r, yeses), Yes: true}
}

func pick[T interface{}](r *rand.Rand, l []T) T { return l[r.IntN(len(l))] }
