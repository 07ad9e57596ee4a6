// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// Every kind of repair is in the trace, and can be switched off: what code then
// does not mend the student is told, and what it does not mend is withheld.
func TestRepairsCanBeSwitchedOff(t *testing.T) {
	calls := harnesstest.Calls
	fan := map[string]float64{"fan": 1}
	for _, tc := range []struct {
		name   string
		off    harness.Repairs
		state  map[string]float64
		say    string
		draft  harness.Draft
		repair string   // in the trace, when it is on
		calls  []string // carried out then, reads left out
		less   []string // carried out when it is off
		gate   string   // that holds the rest against the draft
		own    harness.Draft
		mended []string // carried out when the student mends it
	}{
		{"owed", harness.Repairs{Owed: true}, map[string]float64{"fan": 1, "door_left_position": 50}, "turn on the heater", calls("set_heater", `{"on":true}`),
			"added " + door("LEFT", "0"), []string{door("LEFT", "0"), heaterOn}, nil, "obligation",
			calls("open_close_door", `{"door":"LEFT","percentage":0}`, "set_heater", `{"on":true}`), []string{door("LEFT", "0"), heaterOn}},
		{"reads", harness.Repairs{Reads: true}, fan, "turn on the heater", calls("set_heater", `{"on":true}`),
			"read get_door_positions{}", []string{heaterOn}, nil, "gather", calls("get_door_positions", `{}`, "get_state", `{}`), nil},
		{"coercion", harness.Repairs{Coercion: true}, fan, "open the left door", calls("open_close_door", `{"door":"left","percentage":"20%"}`),
			"replaced open_close_door", []string{door("LEFT", "20")}, nil, "schema",
			calls("open_close_door", `{"door":"LEFT","percentage":20}`), []string{door("LEFT", "20")}},
		{"excess", harness.Repairs{Excess: true}, map[string]float64{"fan": 1, "door_left_position": 50, "door_back_position": 10}, "turn on the heater",
			calls("open_close_door", `{"door":"ALL","percentage":0}`, "set_heater", `{"on":true}`),
			"removed " + door("ALL", "0"), []string{door("LEFT", "0"), heaterOn}, []string{door("LEFT", "0"), heaterOn}, "excess",
			calls("open_close_door", `{"door":"LEFT","percentage":0}`, "set_heater", `{"on":true}`), []string{door("LEFT", "0"), heaterOn}},
		{"order", harness.Repairs{Order: true}, nil, "add and drop a course", calls("add_course", `{"dish":"soup"}`, "drop_course", `{"dish":"fish"}`),
			`deferred drop_course{"dish":"fish"}`, []string{`add_course{"dish":"soup"}`, `drop_course{"dish":"fish"}`}, []string{`add_course{"dish":"soup"}`}, "exclusive-calls",
			calls("add_course", `{"dish":"soup"}`), []string{`add_course{"dish":"soup"}`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			play := func(off harness.Repairs, drafts ...harness.Draft) *harness.Turn {
				t.Helper()
				sc := newScene(t, tc.state, drafts...)
				off.Prefetch = true
				sc.session.Config.Off = off
				turn := sc.say(tc.say)
				want := tc.calls
				switch {
				case off == (harness.Repairs{Prefetch: true}):
				case len(drafts) > 1 && len(drafts[1].Calls) > 0 && drafts[1].Calls[0].Canonical() != tc.draft.Calls[0].Canonical():
					want = tc.mended
				default:
					want = tc.less
				}
				if d := cmp.Diff(want, sc.car.Writes()); d != "" {
					t.Errorf("writes (-want +got):\n%s%v", d, turn.Notes)
				}
				return turn
			}
			if turn := play(harness.Repairs{}, tc.draft, harnesstest.Say("Well.")); !strings.Contains(repairsOf(turn), tc.repair) {
				t.Errorf("the trace has the repairs %s", repairsOf(turn))
			}
			turn := play(tc.off, tc.draft, tc.draft, harnesstest.Say("Well."))
			if strings.Contains(repairsOf(turn), tc.repair) {
				t.Errorf("switched off: the trace has the repairs %s", repairsOf(turn))
			}
			if len(turn.Withheld) == 0 || turn.Withheld[0].Gate != tc.gate {
				t.Errorf("switched off: withheld %+v", turn.Withheld)
			}
			if tc.name != "order" { // the first edit is no other draft's
				if turn := play(tc.off, tc.draft, tc.own, harnesstest.Say("Well.")); len(turn.Withheld) > 0 {
					t.Errorf("mended by the student: withheld %+v", turn.Withheld)
				}
			}
		})
	}
}

func repairsOf(t *harness.Turn) string {
	var out []string
	for _, s := range t.Steps {
		for _, c := range s.Checks {
			out = append(out, c.Repairs...)
		}
	}
	return strings.Join(out, "; ")
}

// A value that a stored preference wants takes the place of another, unless
// that is switched off: then the call waits.
func TestPreferenceCanBeSwitchedOff(t *testing.T) {
	two := harnesstest.Calls("set_fan_speed", `{"level":2}`)
	for _, off := range []bool{false, true} {
		sc := newCarScene(t, map[string]string{"fan_speed": "0"}, two, two, two, harnesstest.Say("Well."))
		sc.car.Answers["get_user_preferences"] = vehicle.MustJSON(`{"vehicle_settings":{"climate_control":["the fan speed should be level 3"]}}`)
		sc.session.Config.Off.Preference = off
		turn := sc.say("change the fan speed")
		if got := strings.Contains(repairsOf(turn), `by set_fan_speed{"level":3}`); got == off || (len(turn.Withheld) > 0) != off {
			t.Errorf("off %v: repairs %s, withheld %+v, notes %q", off, repairsOf(turn), turn.Withheld, turn.Notes)
		}
	}
}

// A filter of this moment, and what a reply leaves out, are not mended either
// when that is switched off.
func TestFilterAndTellingCanBeSwitchedOff(t *testing.T) {
	find := harnesstest.Calls("find_grocers", `{"town":"Linz","only":["open_now"]}`)
	for _, off := range []bool{false, true} {
		sc := newScene(t, nil, find, find, harnesstest.Say("Well."))
		sc.session.Config.Off.Filter = off
		sc.car.Answers["find_grocers"] = vehicle.ObjectOf()
		turn := sc.say("do find a shop that is open later")
		if got := strings.Contains(repairsOf(turn), "replaced find_grocers"); got == off || len(turn.Withheld) > 0 != off {
			t.Errorf("filter off %v: repairs %s, withheld %+v", off, repairsOf(turn), turn.Withheld)
		}
		sc = newScene(t, map[string]float64{"flap": 100}, harnesstest.Calls("move_hood", `{"percentage":50}`), harnesstest.Say("Well."), harnesstest.Say("Well."))
		sc.session.Config.Off.Telling = off
		turn = sc.say("move the hood")
		if got := strings.Contains(repairsOf(turn), "added what the driver must be told"); got == off || !strings.Contains(turn.Reply, "50") {
			t.Errorf("telling off %v: repairs %s, reply %q", off, repairsOf(turn), turn.Reply)
		}
	}
}
