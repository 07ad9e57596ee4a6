// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// inEnglishOven is the oven in plain English without a lexicon: all that is
// known is what the declarations say.
func inEnglishOven(t *testing.T, without ...string) *bench {
	return newBench(t, englishOvenWorld(t)(), without)
}

func englishOvenWorld(t *testing.T) func() world {
	return func() world {
		w := ovenWorld()
		w.lang = func(cat *vehicle.Catalog) harness.Language { return englishTongue(t, cat) }
		return w
	}
}

func englishTongue(t *testing.T, cat *vehicle.Catalog) harness.Language {
	t.Helper()
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	lex, err := all.For("en").NewLexicon(cat)
	if err != nil {
		t.Fatal(err)
	}
	return harness.NewTongue(lex)
}

// only plays a table and looks at one gate alone.
func only(t *testing.T, gate string, table []behaviour) {
	t.Helper()
	for _, tc := range table {
		t.Run(tc.id, func(t *testing.T) {
			tc.gate = gate
			tc.run(tc.car(t))
		})
	}
}

func TestValueGrounding(t *testing.T) {
	calls := harnesstest.Calls
	ask := []string{"value-grounding ask"}
	doors := func(b *bench) { b.do("get_door_positions", `{}`) }
	before := func(set func(b *bench)) func(b *bench) {
		return func(b *bench) { b.hear("hello"); set(b) }
	}
	only(t, "value-grounding", []behaviour{
		{id: "oven: a level nobody said", car: inEnglishOven, say: "turn on the fan", draft: calls("set_fan", `{"level":3}`), want: ask, note: "level of set_fan"},
		{id: "oven: in digits", car: inEnglishOven, say: "set the fan to 3", draft: calls("set_fan", `{"level":3}`)},
		{id: "oven: in words", car: inEnglishOven, say: "set the fan to three", draft: calls("set_fan", `{"level":3}`)},
		{id: "oven: another one", car: inEnglishOven, say: "set the fan to three", draft: calls("set_fan", `{"level":4}`), want: ask},
		{id: "oven: half", car: inEnglishOven, say: "open the hood half", draft: calls("move_hood", `{"percentage":50}`)},
		{id: "oven: half of it is no quarter", car: inEnglishOven, say: "open the hood half", draft: calls("move_hood", `{"percentage":25}`), want: ask},
		{id: "oven: fully", car: inEnglishOven, say: "open the hood fully", draft: calls("move_hood", `{"percentage":100}`)},
		{id: "oven: open alone says nothing", car: inEnglishOven, say: "open the hood", draft: calls("move_hood", `{"percentage":100}`), want: ask},
		{id: "oven: closed is the least", car: inEnglishOven, set: func(b *bench) { b.is("hood", "40"); b.hear("hi"); b.do("get_flap_and_hood", `{}`) }, say: "close the hood", draft: calls("move_hood", `{"percentage":0}`)},
		{id: "oven: two more", car: inEnglishOven, set: before(func(b *bench) { b.do("set_fan", `{"level":2}`) }), say: "turn the fan up by two", draft: calls("set_fan", `{"level":4}`)},
		{id: "oven: two more of what nobody read", car: inEnglishOven, say: "turn the fan up by two", draft: calls("set_fan", `{"level":4}`), want: ask},
		{id: "oven: a bit has no size here", car: inEnglishOven, set: before(func(b *bench) { b.do("set_fan", `{"level":2}`) }), say: "a bit more fan", draft: calls("set_fan", `{"level":3}`), want: ask},
		{id: "oven: like another door", car: inEnglishOven, set: before(func(b *bench) { b.is("door_right_position", "35"); doors(b) }), say: "open the left door like the right one", draft: calls("open_close_door", `{"door":"LEFT","percentage":35}`)},
		{id: "oven: like another thing that was named", car: inEnglishOven, set: before(func(b *bench) { b.is("flap", "60"); b.do("get_flap_and_hood", `{}`) }), say: "move the hood to match the flap", draft: calls("move_hood", `{"percentage":60}`)},
		{id: "oven: an item nobody named", car: inEnglishOven, say: "close a door", draft: calls("open_close_door", `{"door":"LEFT","percentage":0}`), want: ask, note: "door of"},
		{id: "oven: an item that was named", car: inEnglishOven, say: "close the left door", draft: calls("open_close_door", `{"door":"LEFT","percentage":0}`)},
		{id: "oven: each of all", car: inEnglishOven, say: "close all doors", draft: calls("open_close_door", `{"door":"LEFT","percentage":0}`, "open_close_door", `{"door":"BACK","percentage":0}`)},
		{id: "oven: a read tells the items apart", car: inEnglishOven, set: before(func(b *bench) { b.is("door_left_position", "10"); doors(b) }), say: "close the door", draft: calls("open_close_door", `{"door":"LEFT","percentage":0}`)},
		{id: "oven: a member nobody named", car: inEnglishOven, say: "start the program", draft: calls("set_program", `{"from":"TOP"}`), want: ask},
		{id: "oven: a member that was named", car: inEnglishOven, say: "heat from the top", draft: calls("set_program", `{"from":"TOP"}`)},
		{id: "oven: a stored preference", car: inEnglishOven, set: before(func(b *bench) { b.came("recall_wishes", `{}`, done(`{"dishes":["the program is always on bottom"]}`)) }), say: "start the program", draft: calls("set_program", `{"from":"BOTTOM"}`)},
		{id: "oven: an offer that was not refused", car: inEnglishOven, set: before(func(b *bench) { b.said("Shall I set the fan to 3?") }), say: "yes please", draft: calls("set_fan", `{"level":3}`)},
		{id: "oven: an offer that was refused", car: inEnglishOven, set: before(func(b *bench) { b.said("Shall I set the fan to 3?") }), say: "no", draft: calls("set_fan", `{"level":3}`), want: ask},
		{id: "oven: what a rule in play owes", car: inEnglishOven, say: "turn on the grill", draft: calls("set_fan", `{"level":2}`)},
		{id: "oven: what a rule not in play owes", car: inEnglishOven, say: "start the fan", draft: calls("set_fan", `{"level":2}`), want: ask},
		{id: "oven: nothing changes", car: inEnglishOven, set: before(func(b *bench) { b.do("set_fan", `{"level":3}`) }), say: "keep the fan running", draft: calls("set_fan", `{"level":3}`)},
		{id: "oven: a switch follows from the verb", car: inEnglishOven, say: "heater please", draft: calls("set_heater", `{"on":true}`)},
		{id: "oven: an identifier has its own gate", car: inEnglishOven, set: before(func(b *bench) { b.came("find_recipes", `{"dish":"pie"}`, done(`{"id":"rec_4711_pie"}`)) }), say: "start a recipe", draft: calls("start_recipe", `{"recipe_id":"rec_4711_pie"}`)},
		{id: "oven: what the schema refuses is not asked about", car: inEnglishOven, say: "start the fan", draft: calls("set_fan", `{"level":9}`)},

		{id: "car: a level nobody said", car: inCar, say: "turn on my seat heating", draft: calls("set_seat_heating", `{"level":2,"seat_zone":"DRIVER"}`), want: ask, note: "nobody gave level of"},
		{id: "car: level and seat", car: inCar, say: "turn on a seat heating", draft: calls("set_seat_heating", `{"level":2,"seat_zone":"PASSENGER"}`), want: ask, note: "level, seat_zone"},
		{id: "car: a word of the lexicon", car: inCar, say: "my seat heating on high", draft: calls("set_seat_heating", `{"level":3,"seat_zone":"DRIVER"}`)},
		{id: "car: a bit has a size here", car: inCar, set: before(func(b *bench) { b.do("set_fan_speed", `{"level":2}`) }), say: "a bit more fan", draft: calls("set_fan_speed", `{"level":3}`)},
		{id: "car: a default of the lexicon", car: inCar, say: "set the temperature to 21 degrees", draft: calls("set_climate_temperature", `{"temperature":21,"seat_zone":"ALL_ZONES"}`)},
		{id: "car: no default", car: inCar, say: "set the temperature to 21 degrees", draft: calls("set_climate_temperature", `{"temperature":21,"seat_zone":"PASSENGER"}`), want: ask},
		{id: "car: a remark does not choose all", car: inCar, say: "my windows are foggy, could you turn on the defrost?", draft: calls("set_window_defrost", `{"on":true,"defrost_window":"ALL"}`), want: ask},
		{id: "car: a remark that names the one", car: inCar, say: "the front windscreen is foggy, could you turn on the defrost?", draft: calls("set_window_defrost", `{"on":true,"defrost_window":"FRONT"}`)},
		{id: "car: both seats by name", car: inCar, say: "driver and passenger seat heating to 1", draft: calls("set_seat_heating", `{"level":1,"seat_zone":"ALL_ZONES"}`)},
		{id: "car: a group", car: inCar, say: "open the rear windows to 20 percent", draft: calls("open_close_window", `{"window":"DRIVER_REAR","percentage":20}`, "open_close_window", `{"window":"PASSENGER_REAR","percentage":20}`)},
		{id: "car: a colour that follows from off", car: inCar, say: "ambient light off", draft: calls("set_ambient_lights", `{"on":false,"lightcolor":"NONE"}`)},
		{id: "car: a colour nobody named", car: inCar, say: "ambient light on", draft: calls("set_ambient_lights", `{"on":true,"lightcolor":"RED"}`), want: ask},
	})
}

// A value that is asked for is asked for once, in words, and the rest goes on.
func TestValueIsAskedFor(t *testing.T) {
	cat := ovenCatalog(t)
	sc := newSceneIn(t, englishTongue(t, cat), map[string]float64{"fan": 1},
		harnesstest.Calls("set_fan", `{"level":4}`, "set_heater", `{"on":true}`),
		harnesstest.Calls("set_fan", `{"level":2}`))
	turn := sc.say("turn on the heater and turn up the fan")
	sc.writes(`set_heater{"on":true}`)
	if turn.Outcome != harness.Asked || turn.Question == nil || len(turn.Question.Options) != 0 || !strings.Contains(turn.Reply, "between 0 and 5") {
		t.Errorf("outcome %s, reply %q", turn.Outcome, turn.Reply)
	}
	if len(turn.Withheld) != 0 {
		t.Errorf("withheld %v", turn.Withheld)
	}
	sc.say("to two")
	sc.writes(`set_heater{"on":true}`, `set_fan{"level":2}`)
}
