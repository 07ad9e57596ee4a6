// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"errors"
	"testing"

	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// Documents of turns in which drafts were sampled, a critic was asked and asks
// were extracted obey the published schema too, and those in which that failed.
func TestSecondModelsObeyTheSchema(t *testing.T) {
	schema, _ := turnSchema(t)
	for _, fails := range []error{nil, errors.New("nobody there")} {
		r, student := start(t, "", nil)
		now := r.System.Settings()
		now.Harness.Vote = 3
		now.Second = system.Second{
			Critic:    &harnesstest.Critic{Verdicts: []harness.Verdict{{Confirmed: []int{1}, Discarded: []int{7}}}, Err: fails},
			Extractor: &harnesstest.Extractor{Found: map[string]harness.Extracted{"set the fan speed to 2": {Asks: []string{"set the fan", "open the roof"}}}, Err: fails},
		}
		if err := r.System.Change(now); err != nil {
			t.Fatal(err)
		}
		student.Then(harnesstest.Calls("set_fan_speed", `{"level":2}`), harnesstest.Silent(), harnesstest.Calls("set_fan_speed", `{"level":2}`),
			harnesstest.Say("I've set the fan, and I will open the roof."), harnesstest.Say("I've set the fan to level 2."))
		turn := say(t, r, "set the fan speed to 2")
		asked, voted := false, false
		for _, s := range turn.Steps {
			voted = voted || s.Vote != nil
			for _, c := range s.Checks {
				asked = asked || c.Critic != nil
			}
		}
		raw := obeys(t, schema, turn)
		if turn.Extraction == nil || !asked || !voted {
			t.Errorf("extraction %v, the critic was asked %v, a vote %v:\n%s", turn.Extraction, asked, voted, raw)
		}
	}
}
