// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"fmt"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// A long conversation stays as small as a short one, and what is known of the
// car is still known.
func TestLongConversationStaysSmall(t *testing.T) {
	sc := newScene(t, map[string]float64{"door_left_position": 90, "fan": 3})
	sc.student.Then(harnesstest.Calls("set_heater", `{"on":true}`))
	sc.say("turn on the heater")
	longest := 0
	for i := range 200 {
		sc.student.Then(harnesstest.Calls("set_fan", fmt.Sprintf(`{"level":%d}`, 1+i%5)))
		if turn := sc.say("set the fan"); turn.Outcome != harness.Spoke {
			t.Fatalf("turn %d: %s", i, turn.Outcome)
		}
		if ps := sc.student.Prompts(); i > 60 {
			longest = max(longest, len(ps[len(ps)-1].Messages))
		}
	}
	if longest > 40*6 {
		t.Errorf("%d messages are kept", longest)
	}
	writes := len(sc.car.Writes())
	sc.student.Then(harnesstest.Calls("set_grill", `{"on":true}`))
	sc.say("turn on the grill")
	if got := len(sc.car.Writes()) - writes; got != 1 && got != 2 {
		t.Errorf("%d writes for the grill; what was known of the heater is gone", got)
	}
}
