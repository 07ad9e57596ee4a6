// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// What the driver hears of a call that was not sent, or of a choice, is in the
// driver's own language, whatever the policy is written in.
func TestReasonsAreInTheDriversLanguage(t *testing.T) {
	const (
		needs = `- {id: "shut", type: precondition, policy: "So it is.", on: [{call: set_heater, when: [{arg: "on", is: true}]}], need: [{field: door_left_position, lt: 20, unit: percent}], say: {de: "Die linke Tür muss zu sein."}}`
		owes  = `- {id: "shut", type: auto_action, policy: "So it is.", on: [{call: set_heater, when: [{arg: "on", is: true}]}], if: [{field: door_left_position, gt: 20, unit: percent}], owe: [{call: open_close_door, args: {door: LEFT, percentage: 0}}], say: {de: "Die linke Tür muss zu sein."}}`
		with  = `- {id: "lit", type: auto_action, policy: "So it is.", on: [{call: set_heater, when: [{arg: "on", is: true}]}], if: [{field: fan, lt: 2}], owe: [{call: set_fan, args: {level: 2}, place: with}], say: {de: "Der Lüfter läuft mit."}}`
	)
	two := []harness.Draft{harnesstest.Calls("set_fan", `{"level":3}`, "set_heater", `{"on":true}`)}
	door := []harness.Draft{harnesstest.Calls("set_heater", `{"on":true}`), harnesstest.Calls("open_close_door", `{"door":"LEFT","percentage":90}`)}
	opens := func(sc *scene) func(vehicle.Call) {
		return func(vehicle.Call) { sc.car.Set("door_left_position", vehicle.NumberOf(60)) }
	}
	for _, tc := range []struct {
		name, rules, say string
		before           func(*scene) func(vehicle.Call)
		drafts           []harness.Draft
		fail             string
		want             string
	}{
		{"the car was changed and forbids it", needs, "set the fan to level 3 and the heater on", opens, two, "", "Die linke Tür muss zu sein."},
		{"the car was changed and more is owed", owes, "set the fan to level 3 and the heater on", opens, two, "", "Die linke Tür muss zu sein."},
		{"the driver stopped it", needs, "set the fan to level 3 and the heater on", func(sc *scene) func(vehicle.Call) {
			return func(vehicle.Call) { _ = sc.session.Stop(context.Background()) }
		}, two, "", "Du hast stopp gesagt."},
		{"what it goes with failed", with, "set the heater on", nil, door[:1], "set_heater", "Denn das ging nicht:"},
		{"one of two packages", owes, "open the door and set the heater", nil, []harness.Draft{harnesstest.Calls("open_close_door", `{"door":"LEFT","percentage":90}`, "set_heater", `{"on":true}`)}, "", "Die linke Tür muss zu sein."},
		{"what ran would be undone", owes, "set the heater and open the door", nil, door, "", "Die linke Tür muss zu sein."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := ruled(t, "de", tc.rules, nil, tc.drafts...)
			if tc.before != nil {
				sc.car.Before = func(c vehicle.Call) {
					if c.Tool == "set_fan" {
						tc.before(sc)(c)
					}
				}
			}
			if tc.fail != "" {
				sc.car.Fail[tc.fail] = "kaputt"
			}
			turn := sc.say(tc.say)
			sc.says(turn, tc.want)
			for _, english := range []string{"So it is", "not sent", "rule ", "which it goes with"} {
				if strings.Contains(turn.Reply, english) {
					t.Errorf("reply %q says %q", turn.Reply, english)
				}
			}
		})
	}
}
