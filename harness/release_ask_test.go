// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// A yes is to what the driver heard: rules that ask about the same calls all
// say why.
func TestOneQuestionSaysEveryReason(t *testing.T) {
	const (
		loud = `- {id: "loud", type: confirmation, policy: "So it is.", on: [{call: TOOL}], if: [{field: fan, lt: 5}], ask: {naming: all}, say: {en: "It gets loud."}}` + "\n"
		cold = `- {id: "cold", type: confirmation, policy: "So it is.", on: [{call: TOOL}], if: [{field: grill, is: true}], ask: {naming: all}, say: {en: "The food gets cold."}}` + "\n"
		dark = `- {id: "dark", type: confirmation, policy: "So it is.", on: [{call: TOOL}], if: [{field: menu_active, is: true}], unknown: ask, ask: {naming: all}, say: {en: "It gets dark."}}` + "\n"
		echo = `- {id: "echo", type: confirmation, policy: "So it is.", on: [{call: TOOL}], if: [{field: fan, lt: 5}], ask: {naming: all}, say: {en: "It gets loud."}}` + "\n"
	)
	fan, cleaner := fanTo("3"), harnesstest.Calls("set_cleaner", `{"on":true}`)
	for _, tc := range []struct {
		name, rules, tool string
		draft             harness.Draft
		want              []string // each once in the question
		not               string
	}{
		{"two rules", loud + cold, "set_fan", fan, []string{"It gets loud.", "The food gets cold."}, ""},
		{"the same reason twice", loud + echo, "set_fan", fan, []string{"It gets loud."}, ""},
		{"two rules and a mark of the tool", loud + cold, "set_cleaner", cleaner, []string{"It gets loud.", "The food gets cold."}, "ask-confirm"},
		{"what is unknown, and a rule", dark + cold, "set_fan", fan, []string{"why-unknown", "The food gets cold."}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := ruled(t, "en", strings.ReplaceAll(tc.rules, "TOOL", tc.tool), map[string]float64{"grill": 1}, tc.draft)
			sc.car.Fail["get_menu"] = "no answer"
			turn := sc.say("set the fan and the cleaner")
			if turn.Outcome != harness.Asked || len(turn.Question.Options) != 1 || strings.Contains(turn.Question.Options[0].Label, ", ") {
				t.Fatalf("outcome %s, question %+v, reply %q", turn.Outcome, turn.Question, turn.Reply)
			}
			for _, w := range tc.want {
				if strings.Count(turn.Question.Text, w) != 1 {
					t.Errorf("question %q says %q not once", turn.Question.Text, w)
				}
			}
			if tc.not != "" && strings.Contains(turn.Question.Text, tc.not) {
				t.Errorf("question %q says %q", turn.Question.Text, tc.not)
			}
			sc.writes()
			sc.say("yes")
			sc.writes(tc.draft.Calls[0].Canonical())
		})
	}
}

// A choice is put alone. What else needs a yes is asked about after it,
// whatever was chosen.
func TestQuestionsBesideAChoiceComeAfterIt(t *testing.T) {
	const list = `
- {id: "shut", type: auto_action, policy: "So it is.", on: [{call: set_heater, when: [{arg: "on", is: true}]}], if: [{field: door_left_position, gt: 20, unit: percent}], owe: [{call: open_close_door, args: {door: LEFT, percentage: 0}}], say: {en: "The door must be closed."}}
- {id: "loud", type: confirmation, policy: "So it is.", on: [{call: set_cleaner}], if: [{field: fan, lt: 5}], ask: {naming: all}, say: {en: "It gets loud."}}
- {id: "calm", type: auto_action, policy: "So it is.", on: [{call: set_grill, when: [{arg: "on", is: true}]}], if: [{field: fan, lt: 2}], owe: [{call: set_fan, args: {level: 2}}], say: {en: "The grill needs the fan."}}
`
	const left, cleaner = `{"door":"LEFT","percentage":90}`, `set_cleaner{"on":true}`
	one := harnesstest.Calls("set_cleaner", `{"on":true}`, "open_close_door", left, "set_heater", `{"on":true}`)
	two := harnesstest.Calls("open_close_door", left, "set_heater", `{"on":true}`, "set_fan", `{"level":0}`, "set_grill", `{"on":true}`)
	for _, tc := range []struct {
		name  string
		draft harness.Draft
		says  []string // and what the question that answers has in it
		want  []string
	}{
		{"the first package", one, []string{"first", "It gets loud.", "yes"}, []string{heaterOn, cleaner}},
		{"the second package", one, []string{"second", "It gets loud.", "yes"}, []string{"open_close_door" + left, cleaner}},
		{"neither", one, []string{"no", "It gets loud.", "yes"}, []string{cleaner}},
		{"no yes", one, []string{"first", "It gets loud.", "no"}, []string{heaterOn}},
		{"two choices", two, []string{"second", "The grill needs the fan.", "first"}, []string{"open_close_door" + left, grillOn}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := ruled(t, "en", list, map[string]float64{"fan": 3}, tc.draft)
			turn := sc.say("open the door and set the heater and set the fan and start the grill and start the cleaner")
			if turn.Outcome != harness.Asked || len(turn.Question.Options) != 2 || !strings.Contains(turn.Question.Text, "The door must be closed.") {
				t.Fatalf("outcome %s, question %+v", turn.Outcome, turn.Question)
			}
			sc.writes()
			turn = sc.say(tc.says[0])
			if turn.Outcome != harness.Asked || !strings.Contains(turn.Question.Text, tc.says[1]) {
				t.Fatalf("after the choice: outcome %s, reply %q", turn.Outcome, turn.Reply)
			}
			sc.say(tc.says[2])
			sc.writes(tc.want...)
		})
	}
}

// Who chooses a package has said yes to its calls, so the choice says why rules
// ask about them.
func TestChoiceSaysWhyItsCallsNeedAYes(t *testing.T) {
	const list = `
- {id: "shut", type: auto_action, policy: "So it is.", on: [{call: set_heater, when: [{arg: "on", is: true}]}], if: [{field: door_left_position, gt: 20, unit: percent}], owe: [{call: open_close_door, args: {door: LEFT, percentage: 0}}], say: {en: "The door must be closed."}}
- {id: "hot", type: confirmation, policy: "So it is.", on: [{call: set_heater}], if: [{field: grill, is: true}], ask: {naming: all}, say: {en: "It gets hot."}}
`
	const left = `{"door":"LEFT","percentage":90}`
	for _, tc := range []struct {
		name  string
		grill float64
		want  bool
	}{{"a rule asks", 1, true}, {"none does", 0, false}} {
		t.Run(tc.name, func(t *testing.T) {
			sc := ruled(t, "en", list, map[string]float64{"grill": tc.grill}, harnesstest.Calls("open_close_door", left, "set_heater", `{"on":true}`))
			turn := sc.say("open the door and set the heater")
			if turn.Outcome != harness.Asked || len(turn.Question.Options) != 2 || strings.Contains(turn.Reply, "It gets hot.") != tc.want ||
				strings.Contains(strings.Join(turn.Question.Rules, " "), "hot") != tc.want {
				t.Fatalf("outcome %s, question %+v", turn.Outcome, turn.Question)
			}
			sc.say("first")
			sc.writes(heaterOn)
		})
	}
}
