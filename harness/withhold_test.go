// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// A call that is withheld has no effect, so nothing else may rest on it.
func TestNothingRestsOnAWithheldCall(t *testing.T) {
	draft := harnesstest.Calls("move_flap", `{"percentage":100,"speed":2}`, "move_hood", `{"percentage":50}`)
	sc := newScene(t, nil, draft, draft) // it insists
	turn := sc.say("move the flap and the hood")
	sc.writes(`move_flap{"percentage":100}`, `move_hood{"percentage":50}`) // the flap is the rule's own
	if len(turn.Withheld) != 1 || turn.Withheld[0].Gate != "schema" {
		t.Errorf("withheld %+v", turn.Withheld)
	}
}

// What is owed for a trigger that is withheld falls with it, without a word
// of its own.
func TestRemediesFallWithTheirTrigger(t *testing.T) {
	draft := harnesstest.Calls("set_heater", `{"on":true,"hot":1}`, "set_fan", `{"level":3}`)
	sc := newScene(t, map[string]float64{"door_left_position": 90}, draft, draft)
	turn := sc.say("turn on the heater and the fan")
	sc.writes(`set_fan{"level":3}`)
	if len(turn.Withheld) != 1 || turn.Withheld[0].Call.Tool != "set_heater" {
		t.Errorf("withheld %+v", turn.Withheld)
	}
}

// What a call of the draft leaves open is read before a call that depends on
// it goes out, in the same turn.
func TestOwnWriteIsReadFirst(t *testing.T) {
	for _, tc := range []struct {
		name  string
		grill bool // what the recipe makes of the grill
		want  harness.Outcome
		gate  string
	}{
		{"it turned out well", false, harness.Asked, ""},
		{"it turned out badly", true, harness.Spoke, "prohibition"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			draft := harnesstest.Calls("start_recipe", `{"recipe_id":"pie"}`, "set_cleaner", `{"on":true}`)
			sc := newScene(t, nil, draft)
			sc.car.Before = func(c vehicle.Call) {
				if c.Tool == "get_state" {
					sc.car.Set("grill", vehicle.BoolOf(tc.grill))
				}
			}
			turn := sc.say("start the recipe and the cleaner")
			sc.writes(`start_recipe{"recipe_id":"pie"}`)
			if turn.Outcome != tc.want || tc.gate != "" && (len(turn.Withheld) != 1 || turn.Withheld[0].Gate != tc.gate) {
				t.Errorf("outcome %s, withheld %+v, notes %v", turn.Outcome, turn.Withheld, turn.Notes)
			}
		})
	}
}

// Nor may anything rest on the same call a second time.
func TestNothingRestsOnAWithheldCallThatIsRepeated(t *testing.T) {
	sc := newCarScene(t, map[string]string{"air_conditioning": "true"}, harnesstest.Calls("open_close_window", `{"window":"ALL","percentage":60}`,
		"open_close_window", `{"window":"ALL","percentage":60}`, "open_close_window", `{"window":"LEFT_REAR","percentage":60}`))
	if turn := sc.say("open all windows to 60 percent"); turn.Outcome != harness.Asked {
		t.Errorf("outcome %s", turn.Outcome)
	}
	sc.writes()
}

// What the student drafts for the sake of a call that waits for a value waits
// with it; what the driver asked for besides does not.
func TestTheMeansWaitForWhatTheyAreFor(t *testing.T) {
	sc := newCarScene(t, map[string]string{"fan_speed": "0"}, harnesstest.Calls("set_window_defrost", `{"on":true,"defrost_window":"FRONT"}`,
		"set_fan_speed", `{"level":2}`, "set_air_conditioning", `{"on":true}`, "open_close_sunshade", `{"percentage":0}`))
	if turn := sc.say("the view is foggy, turn on the defrost and close the sunshade"); turn.Outcome != harness.Asked || len(turn.Question.Options) > 0 {
		t.Errorf("outcome %s, question %+v", turn.Outcome, turn.Question)
	}
	sc.writes(`open_close_sunshade{"percentage":0}`)
}
