// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

func TestUnrequestedWrite(t *testing.T) {
	calls := harnesstest.Calls
	ask := []string{"unrequested-write ask"}
	fan, wheel := calls("set_fan", `{"level":3}`), calls("set_steering_wheel_heating", `{"level":2}`)
	said := func(reply string) func(b *bench) { return func(b *bench) { b.hear("hello"); b.said(reply) } }
	only(t, "unrequested-write", []behaviour{
		{id: "oven: a remark", car: inEnglishOven, say: "it is awfully smoky in here", draft: fan, want: ask, note: "nobody asked for set_fan"},
		{id: "oven: a command about something else", car: inEnglishOven, say: "open the left door", draft: fan, want: ask},
		{id: "oven: a command", car: inEnglishOven, say: "turn up the fan", draft: fan},
		{id: "oven: an earlier command", car: inEnglishOven, set: func(b *bench) { b.hear("turn up the fan") }, say: "please", draft: fan},
		{id: "oven: half of a name", car: inEnglishOven, say: "more heat", draft: calls("set_heater", `{"on":true}`), want: ask},
		{id: "oven: a member that was named", car: inEnglishOven, say: "let it come from the bottom", draft: calls("set_program", `{"from":"BOTTOM"}`)},
		{id: "oven: an offer", car: inEnglishOven, set: said("Shall I turn up the fan?"), say: "yes", draft: fan},
		{id: "oven: an offer that was refused", car: inEnglishOven, set: said("Shall I turn up the fan?"), say: "no, it is the smell", draft: fan, want: ask},
		{id: "oven: a stored preference", car: inEnglishOven, set: func(b *bench) {
			b.hear("hello")
			b.came("recall_wishes", `{"about":{"dishes":true}}`, done(`{"dishes":["run the fan when there is smoke"]}`))
		}, say: "it is smoky in here", draft: fan},
		{id: "oven: what a rule in play owes", car: inEnglishOven, say: "turn on the grill", draft: calls("set_heater", `{"on":true}`, "set_grill", `{"on":true}`)},
		{id: "oven: nothing changes", car: inEnglishOven, set: func(b *bench) { b.hear("hello"); b.do("set_fan", `{"level":3}`) }, say: "it is smoky in here", draft: fan},
		{id: "oven: effects that nobody declared in full", car: inEnglishOven, say: "something with fruit", draft: calls("add_course", `{"dish":"pie"}`)},

		{id: "oven: a remark, and the thing is settled on", car: inEnglishOven, say: "it is awfully smoky in here", draft: harnesstest.Say("What level should the fan have?"),
			want: []string{"unrequested-write say"}, note: "only made a remark"},
		{id: "oven: the remark names the thing", car: inEnglishOven, say: "the fan is awfully loud", draft: harnesstest.Say("What level should the fan have?")},
		{id: "oven: a command leaves the value open", car: inEnglishOven, say: "change the fan", draft: harnesstest.Say("What level should the fan have?")},
		{id: "oven: it is left to the driver", car: inEnglishOven, say: "it is awfully smoky in here", draft: harnesstest.Say("Which one should I change, the fan or the hood?")},
		{id: "car: a remark, and the thing is settled on", car: inCar, say: "I'm freezing.", draft: harnesstest.Say("Sure! What temperature would you like?"),
			want: []string{"unrequested-write say"}},
		{id: "car: what can be done is said", car: inCar, say: "I'm freezing.", draft: harnesstest.Say("Which would you like, a higher temperature or more seat heating?")},

		{id: "car: a remark", car: inCar, say: "my hands are freezing", draft: wheel, want: ask},
		{id: "car: more than was asked for", car: inCar, say: "turn on my seat heating, level 2", draft: calls("set_seat_heating", `{"level":2,"seat_zone":"DRIVER"}`, "set_steering_wheel_heating", `{"level":2}`), want: ask, note: "set_steering_wheel_heating"},
		{id: "car: a command", car: inCar, say: "warm the steering wheel, level 2", draft: wheel},
		{id: "car: by the signal", car: inCar, say: "it should be a bit less warm", draft: calls("set_climate_temperature", `{"temperature":20,"seat_zone":"ALL_ZONES"}`)},
		{id: "car: companions of a rule", car: inCar, say: "front defrost on", draft: calls("set_air_conditioning", `{"on":true}`, "open_close_window", `{"window":"ALL","percentage":0}`)},
	})
}

// What was not asked for is offered as it is; the yes carries it out once.
func TestUnrequestedWriteIsOffered(t *testing.T) {
	sc := newSceneIn(t, englishTongue(t, ovenCatalog(t)), nil, harnesstest.Calls("set_fan", `{"level":3}`), harnesstest.Say("It runs."))
	turn := sc.say("it is smoky in here")
	sc.writes()
	if turn.Outcome != harness.Asked || turn.Question == nil || len(turn.Question.Options) != 1 || strings.Contains(turn.Reply, "between") {
		t.Errorf("outcome %s, reply %q", turn.Outcome, turn.Reply)
	}
	sc.say("yes please")
	sc.writes(`set_fan{"level":3}`)
}
