// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// advises is what an advisory finding looks like.
var advises = []string{"reconsider"}

// guided is a domain whose policy has a sentence that no rule carries out.
func guided(w func() world, sentence string, more ...*vehicle.Tool) domain {
	return func(t *testing.T, without ...string) *bench {
		w := w()
		if w.err != nil {
			t.Fatal(w.err)
		}
		set := *w.set
		set.Advisory = append(set.Advisory[:len(set.Advisory):len(set.Advisory)], &rules.Advisory{Policy: sentence})
		w.set = &set
		return newBench(t, w, without, more...)
	}
}

func TestRefusalAdvisory(t *testing.T) { // 41-46
	judgeGate(t, "refusal", []gateCase{
		{name: "a write was never tried", car: inOven, say: "set the lamp", draft: harnesstest.Say("I cannot set the lamp."), want: advises},
		{name: "no such write is offered", car: inOven, without: []string{"set_lamp"}, say: "set the lamp", draft: harnesstest.Say("I cannot set the lamp.")},
		{name: "an ordinary reply", car: inOven, say: "set the lamp", draft: harnesstest.Say("All right.")},
		{name: "it was tried", car: inOven, set: func(b *bench) {
			b.hear("set the lamp")
			b.came("set_lamp", `{"color":"RED","level":1}`, failed("no power"))
		}, draft: harnesstest.Say("I cannot set the lamp.")},
		{name: "asked two utterances ago", car: inOven, set: func(b *bench) {
			b.hear("set the lamp")
			b.said("Is blue all right?")
			b.hear("yes")
		}, draft: harnesstest.Say("I cannot do that."), want: advises},
		{name: "the fan was never tried", car: inCar, say: "Set the fan speed to 3.", draft: harnesstest.Say("I'm sorry, I can't change the fan speed."), want: advises},
		{name: "there is no fan", car: inCar, without: []string{"set_fan_speed"}, say: "Set the fan speed to 3.", draft: harnesstest.Say("I'm sorry, I can't change the fan speed.")},
	})
}

func TestPromiseAdvisory(t *testing.T) { // 55, 56
	judgeGate(t, "promise", []gateCase{
		{name: "it will be done", car: inOven, say: "set the lamp", draft: harnesstest.Say("I will set the lamp."), want: advises},
		{name: "asked as a question", car: inOven, say: "set the lamp", draft: harnesstest.Say("Shall I set the lamp?"), want: advises},
		{name: "a limit is admitted", car: inOven, say: "set the lamp", draft: harnesstest.Say("I will try, but its color is unknown.")},
		{name: "a report", car: inOven, say: "is the lamp on?", draft: harnesstest.Say("The lamp is on.")},
		{name: "a question in the car", car: inCar, say: "I need fresh air.", draft: harnesstest.Say("Would you like me to open the sunroof by 20 percent?"), want: advises},
		{name: "a plan in the car", car: inCar, say: "I need fresh air.", draft: harnesstest.Say("I'll open the sunroof, then start the fan."), want: advises},
		{name: "an admitted limit in the car", car: inCar, say: "Open the sunroof a little.", draft: harnesstest.Say("I'm unable to open it in steps. Shall I open it fully?")},
		{name: "a report in the car", car: inCar, say: "Is the sunroof open?", draft: harnesstest.Say("The sunroof is open to 20 percent.")},
	})
}

func TestSubstitutionAdvisory(t *testing.T) { // 64-67
	add := harnesstest.Calls("add_course", `{"dish":"soup"}`)
	replace := harnesstest.Calls("navigation_replace_one_waypoint", `{"waypoint_id_to_replace":"loc_a_1","new_waypoint_id":"loc_b_2","route_id_leading_to_new_waypoint":"rt_1","route_id_leading_away_from_new_waypoint":"rt_2"}`)
	judgeGate(t, "substitution", []gateCase{
		{name: "something is put there", car: inOven, say: "drop the soup course", draft: add, want: advises},
		{name: "it is removed", car: inOven, say: "drop the soup course", draft: harnesstest.Calls("drop_course", `{"dish":"soup"}`)},
		{name: "nothing is to go", car: inOven, say: "add the soup course", draft: add},
		{name: "about something else", car: inOven, say: "drop the soup course", draft: harnesstest.Calls("set_fan", `{"level":1}`)},
		{name: "nothing offered removes", car: inOven, without: []string{"drop_course"}, say: "drop the soup course", draft: add},
		{name: "a stop is replaced", car: inCar, say: "Please remove the stop in Linz.", draft: replace, want: advises},
		{name: "a stop is deleted", car: inCar, say: "Please remove the stop in Linz.", draft: harnesstest.Calls("navigation_delete_waypoint", `{"waypoint_id_to_delete":"loc_a_1","route_id_without_waypoint":"rt_1"}`)},
		{name: "a stop is to be replaced", car: inCar, say: "Please replace the stop in Linz by Graz.", draft: replace},
	})
}

func TestFutureArgumentAdvisory(t *testing.T) { // 89, 90
	oven := func(t *testing.T, without ...string) *bench {
		return newBench(t, ovenWorld(), without, &vehicle.Tool{Name: "get_tariff", Access: vehicle.Read})
	}
	weather := harnesstest.Calls("get_weather", `{"location_or_poi_id":"loc_lin_545923","month":3,"day":14,"time_hour_24hformat":10}`)
	judgeGate(t, "future-argument", []gateCase{
		{name: "a later moment", car: oven, say: "do the baking later", draft: harnesstest.Calls("get_tariff", `{"start_hour":12}`), want: advises},
		{name: "no later moment", car: oven, say: "do the baking", draft: harnesstest.Calls("get_tariff", `{"start_hour":12}`)},
		{name: "no time in it", car: oven, say: "do the baking later", draft: harnesstest.Calls("get_tariff", `{"town":"Linz"}`)},
		{name: "the weather on arrival", car: inCar, say: "What is the weather when I arrive?", draft: weather, want: advises},
		{name: "the weather", car: inCar, say: "What is the weather like in Linz?", draft: weather},
	})
}

func TestScopeAdvisory(t *testing.T) { // 83, 84
	all := harnesstest.Calls("open_close_door", `{"door":"ALL","percentage":50}`)
	windows := harnesstest.Calls("open_close_window", `{"window":"ALL","percentage":0}`)
	judgeGate(t, "scope", []gateCase{
		{name: "all under a threshold", car: guided(ovenWorld, "Touch no door that is open more than 80."), say: "open the doors", draft: all, want: advises},
		{name: "one of them", car: guided(ovenWorld, "Touch no door that is open more than 80."), say: "open the doors", draft: harnesstest.Calls("open_close_door", `{"door":"LEFT","percentage":50}`)},
		{name: "no threshold", car: guided(ovenWorld, "Touch the door gently."), say: "open the doors", draft: all},
		{name: "about something else", car: guided(ovenWorld, "The flap stays under 80."), say: "open the doors", draft: all},
		{name: "no sentence", car: inOven, say: "open the doors", draft: all},
		{name: "all windows", car: guided(carWorld, "A window that is open less than 10 percent stays as it is."), say: "close the windows", draft: windows, want: advises},
		{name: "all windows, no sentence", car: inCar, say: "close the windows", draft: windows},
	})
}

func TestPolicyReminderAdvisory(t *testing.T) {
	flap := harnesstest.Calls("move_flap", `{"percentage":50}`)
	judgeGate(t, "policy-reminder", []gateCase{
		{name: "a sentence about it", car: guided(ovenWorld, "Move the flap gently."), say: "move the flap", draft: flap, want: advises},
		{name: "about something else", car: guided(ovenWorld, "Handle the hood gently."), say: "move the flap", draft: flap},
		{name: "a read", car: guided(ovenWorld, "Move the flap gently."), say: "move the flap", draft: harnesstest.Calls("get_flap_and_hood", `{}`)},
		{name: "scope speaks of it", car: guided(ovenWorld, "Touch no door that is open more than 80."), say: "open the doors",
			draft: harnesstest.Calls("open_close_door", `{"door":"ALL","percentage":50}`)},
		{name: "the trunk", car: guided(carWorld, "The trunk is opened only when somebody stands behind the car."), say: "open the trunk",
			draft: harnesstest.Calls("open_close_trunk_door", `{"action":"OPEN"}`), want: advises},
		{name: "the trunk, no sentence", car: inCar, say: "open the trunk", draft: harnesstest.Calls("open_close_trunk_door", `{"action":"OPEN"}`)},
	})
}

func TestOutwardDuplicateAdvisory(t *testing.T) { // 71, 72
	soup := harnesstest.Calls("mail_grocer", `{"shop":"Meier","text":"soup"}`)
	sent := func(b *bench) {
		b.hear("send it")
		b.came("mail_grocer", `{"shop":"Meier","text":"bread"}`, done(`{}`))
	}
	mail := harnesstest.Calls("send_email", `{"email_addresses":["a@b.example"],"content_message":"I am late."}`)
	judgeGate(t, "outward-duplicate", []gateCase{
		{name: "a second one", car: inOven, set: sent, draft: soup, want: advises},
		{name: "the first one", car: inOven, say: "send it", draft: soup},
		{name: "the same again is not for the critic", car: inOven, set: sent, draft: harnesstest.Calls("mail_grocer", `{"shop":"Meier","text":"bread"}`)},
		{name: "two in one draft", car: inOven, say: "send it", draft: harnesstest.Calls("mail_grocer", `{"shop":"Meier","text":"bread"}`, "mail_grocer", `{"shop":"Meier","text":"soup"}`), want: advises},
		{name: "the first one failed", car: inOven, set: func(b *bench) {
			b.hear("send it")
			b.came("mail_grocer", `{"shop":"Meier","text":"bread"}`, failed("closed"))
		}, draft: soup},
		{name: "a repeated write in the house", car: inOven, set: func(b *bench) { b.hear("set the fan"); b.do("set_fan", `{"level":1}`) }, draft: harnesstest.Calls("set_fan", `{"level":2}`)},
		{name: "a second mail", car: inCar, set: func(b *bench) {
			b.hear("Send the mail.")
			b.came("send_email", `{"email_addresses":["a@b.example"],"content_message":"I am on my way."}`, done(`{"email_sent":true}`))
		}, draft: mail, want: advises},
		{name: "the first mail", car: inCar, say: "Send the mail.", draft: mail},
	})
}

func TestLedgerAdvisory(t *testing.T) { // 127, 128
	half := func(b *bench) { b.hear("turn on the heater and set the lamp"); b.do("set_heater", `{"on":true}`) }
	summary := harnesstest.Say("I've turned on the heater.")
	judgeGate(t, "ledger", []gateCase{
		{name: "one is open", car: inOven, set: half, draft: summary, want: advises},
		{name: "all is done", car: inOven, set: func(b *bench) { half(b); b.do("set_lamp", `{"color":"RED","level":1}`) }, draft: summary},
		{name: "calls", car: inOven, set: half, draft: harnesstest.Calls("get_lamp", `{}`)},
		{name: "a question about it", car: inOven, set: half, draft: harnesstest.Say("I've turned on the heater. Which color should the lamp have?")},
		{name: "a report", car: inOven, set: half, draft: harnesstest.Say("The heater is on.")},
		{name: "one is open in the car", car: inCar, set: func(b *bench) {
			b.hear("Turn on the fog lights and set the fan speed to 2.")
			b.do("set_fan_speed", `{"level":2}`)
		}, draft: harnesstest.Say("I've set the fan to level 2."), want: advises},
		{name: "all is done in the car", car: inCar, set: func(b *bench) { b.hear("Set the fan speed to 2."); b.do("set_fan_speed", `{"level":2}`) },
			draft: harnesstest.Say("I've set the fan to level 2.")},
	})
}
