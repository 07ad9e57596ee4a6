// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"
)

const (
	readDoors = "+get_door_positions{}"
	readState = "+get_state{}"
	readFlap  = "+get_flap_and_hood{}"
)

// readAll makes every read of the oven.
func readAll(b *bench) {
	b.do("get_door_positions", `{}`, "get_state", `{}`, "get_flap_and_hood", `{}`)
}

// Readings before acting.
func TestBehaviourGather(t *testing.T) {
	heater := calls("set_heater", `{"on":true}`)
	hood := calls("move_hood", `{"percentage":50}`)
	both := []string{"gather read 1a " + readDoors, "gather read 1b " + readState}
	inTurn := func(f func(b *bench)) func(b *bench) { return func(b *bench) { b.hear("please do it"); f(b) } }
	play(t, []behaviour{
		{id: "A4.21 a reading that was never made", car: inOven, draft: heater, want: both},
		{id: "A4.21 in the car", car: inCar, draft: calls("set_air_conditioning", `{"on":true}`),
			want: []string{"gather read 011a +get_vehicle_window_positions{}", "gather read 011b +get_climate_settings{}"}},
		{id: "A4.22 no reading of other things", car: inOven, draft: hood, want: []string{"gather read 3 " + readFlap}},
		{id: "A4.23 all readings were made", car: inOven, set: inTurn(func(b *bench) { b.is("fan", "1"); readAll(b) }), draft: heater, say: "-"},
		{id: "A4.24 a rule that checks whether something is on", car: inOven, draft: calls("set_cleaner", `{"on":true}`),
			want: []string{"gather read 4 " + readState, "confirmation ask"}},
		{id: "A4.25 after that reading", car: inOven, set: inTurn(func(b *bench) { b.do("get_state", `{}`) }), say: "-",
			draft: calls("set_cleaner", `{"on":true}`), want: []string{"confirmation ask"}},
		{id: "A4.26 notes are no readings", car: inOven, draft: calls("note", `{"text":"x"}`, "set_fan", `{"level":1}`)},
		{id: "A4.27 no keyword is needed", car: inOven, say: "please do it", draft: hood, want: []string{"gather read 3 " + readFlap}},
		{id: "A4.28 reads alone", car: inOven, draft: calls("get_state", `{}`)},
		{id: "A4.28 speech alone", car: inOven, say: "hello", draft: say("Hello there.")},
		{id: "A14.96 state never read: only the reads", car: inOven, draft: heater, want: both},
		{id: "B44 a failed read does not satisfy it", car: inOven, set: func(b *bench) {
			b.hear("please do it")
			b.came("get_door_positions", `{}`, failed("timeout"))
			b.do("get_state", `{}`)
			b.hear("again")
		}, draft: heater, want: []string{"gather read 1a " + readDoors, `obligation repair 1b +set_fan{"level":1}`}},
		{id: "B44 closing needs no reading for opening", car: inOven, draft: calls("move_hood", `{"percentage":0}`)},
		{id: "B30 a later failed read keeps the earlier state and reads again", car: inOven, set: func(b *bench) {
			b.is("fan", "1", "door_left_position", "50")
			b.hear("please do it")
			readAll(b)
			b.came("get_door_positions", `{}`, failed("timeout"))
		}, draft: heater, want: []string{`obligation repair 1a +open_close_door{"door":"LEFT","percentage":0}`}},
		{id: "A14.113 B24 a failed write is not projected: a fresh read", car: inOven, set: func(b *bench) {
			b.is("fan", "1", "door_left_position", "50")
			b.hear("please do it")
			readAll(b)
			b.came("open_close_door", `{"door":"LEFT","percentage":0}`, failed("jammed"))
		}, say: "-", draft: heater, want: []string{"gather read 1a " + readDoors}},
		{id: "A14.97 B28 null is unknown, and nothing is owed for it", car: inOven, set: func(b *bench) {
			b.is("fan", "1")
			b.hear("please do it")
			readAll(b)
			b.came("get_door_positions", `{}`, done(`{"door_left_position":null,"door_right_position":"unknown","door_back_position":5}`))
		}, say: "-", draft: heater, want: []string{"missing-capability ask 1a", "missing-capability ask 1a"}, note: "door_left_position is unknown"},
		{id: "A14.117 an earlier trigger demands no second reading", car: inOven, set: func(b *bench) {
			b.hear("please do it")
			b.do("set_heater", `{"on":true}`)
			b.came("get_door_positions", `{}`, done(`{"door_left_position":null,"door_right_position":0,"door_back_position":5}`))
			b.came("get_state", `{}`, done(`{"fan":1,"heater":true,"grill":false,"cleaner":false}`))
		}, say: "-", draft: say("The heater is on.")},
		{id: "A14.118 a drafted trigger reads again what is unknown", car: inOven, set: func(b *bench) {
			b.is("fan", "1")
			b.hear("please do it")
			b.do("get_state", `{}`)
			b.came("get_door_positions", `{}`, done(`{"door_left_position":null,"door_right_position":0,"door_back_position":5}`))
		}, draft: heater, want: []string{"gather read 1a " + readDoors}},
		{id: "B26 unknown only through the draft's own write", car: inOven, set: inTurn(readAll), say: "-",
			draft: calls("start_recipe", `{"recipe_id":"pie"}`, "set_cleaner", `{"on":true}`),
			want:  []string{`prohibition repair 4 -set_cleaner{"on":true}`, "confirmation ask"}},
	})
}

// Parts that are missing.
func TestBehaviourCapability(t *testing.T) {
	t.Run("A3.18 A14.99 the remedy's tool is not offered", func(t *testing.T) {
		b := inOven(t, "set_fan")
		b.hear("please do it")
		readAll(b)
		(&behaviour{say: "-", draft: calls("set_heater", `{"on":true}`, "move_hood", `{"percentage":0}`),
			want: []string{"missing-capability block 1b"}, note: "requires tool set_fan"}).run(b)
	})
	t.Run("A3.18 in the car", func(t *testing.T) {
		b := inCar(t, "open_close_window")
		b.is("window_driver_position", "50", "fan_speed", "1")
		b.hear("please do it")
		b.do("get_vehicle_window_positions", `{}`, "get_climate_settings", `{}`)
		(&behaviour{say: "-", draft: calls("set_air_conditioning", `{"on":true}`),
			want: []string{"missing-capability block 011a"}, note: "requires tool open_close_window"}).run(b)
	})
	t.Run("B18 a trigger that is not offered is never another tool", func(t *testing.T) {
		b := inOven(t, "set_heater")
		b.hear("please do it")
		readAll(b)
		(&behaviour{say: "-", draft: calls("set_fan", `{"level":0}`)}).run(b)
	})
}
