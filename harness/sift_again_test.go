// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// What a rule owes for an earlier call may be refused time and again. A call
// that needs its effect is judged without it, and does not go out.
func TestNothingRestsOnARefusedRemedyOfAnEarlierCall(t *testing.T) {
	const list = `
- {id: "air", type: auto_action, policy: "So it is.", on: [{result: get_lamp}], if: [{field: fan, lt: 3}], owe: [{call: set_fan, args: {level: 3}}], say: {en: "The fan must run."}}
- {id: "calm", type: prohibition, policy: "So it is.", on: [{call: set_fan}], if: [{field: grill, is: true}], forbid: {}, say: {en: "The grill is on."}}
- {id: "hood", type: precondition, policy: "So it is.", on: [{call: move_hood}], need: [{field: fan, ge: 3}], say: {en: "The hood needs the fan."}}
`
	hood := harnesstest.Calls("move_hood", `{"percentage":50}`)
	for _, tc := range []struct {
		name  string
		grill float64
		draft []harness.Draft
		want  []string
		says  string
	}{
		{"it may be done", 0, []harness.Draft{hood}, []string{`set_fan{"level":3}`, `move_hood{"percentage":50}`}, "done:"},
		{"it is refused, and the student insists", 1, []harness.Draft{hood, hood}, nil, "The hood needs the fan."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := ruled(t, "en", list, map[string]float64{"grill": tc.grill}, append([]harness.Draft{harnesstest.Calls("get_lamp", `{}`, "get_state", `{}`)}, tc.draft...)...)
			turn := sc.say("move the hood to 50")
			sc.writes(tc.want...)
			sc.says(turn, tc.says)
			if tc.grill != 0 && !strings.Contains(turn.Reply, "move_hood") {
				t.Errorf("reply %q, withheld %+v", turn.Reply, turn.Withheld)
			}
		})
	}
}
