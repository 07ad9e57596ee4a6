// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness/harnesstest"
)

// Whoever is told of a turn's progress reads it while the turn goes on: what
// was told does not change any more.
func TestProgressDoesNotChangeOnceItWasTold(t *testing.T) {
	for _, passes := range []int{0, 1} {
		sc := newScene(t, map[string]float64{"door_left_position": 50}, harnesstest.Calls("set_cleaner", `{"on":true}`, "set_heater", `{"on":true}`))
		sc.session.Config.Passes = max(passes, sc.session.Config.Passes*(1-passes))
		var what []any
		var told []string
		sc.session.Progress = func(_ context.Context, d any) {
			b, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			what, told = append(what, d), append(told, string(b))
		}
		sc.say("start the cleaner and turn on the heater")
		for i := range what {
			b, _ := json.Marshal(what[i])
			if d := cmp.Diff(told[i], string(b)); d != "" {
				t.Errorf("passes %d: document %d changed:\n%s", passes, i, d)
			}
		}
	}
}
