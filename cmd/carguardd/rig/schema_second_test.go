// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// Documents of turns in which drafts were sampled, a critic was asked and asks
// were extracted obey the published schema too, and those in which that failed.
func TestSecondModelsObeyTheSchema(t *testing.T) {
	data, err := os.ReadFile("../../../docs/turn.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := vehicle.ParseJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := vehicle.ParseSchema(doc)
	if err != nil {
		t.Fatal(err)
	}
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
		raw, err := json.Marshal(turn)
		if err != nil {
			t.Fatal(err)
		}
		v, err := vehicle.ParseJSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range schema.Validate(v) {
			t.Errorf("%s: %s", bad.Path, bad.Text)
		}
		if turn.Extraction == nil || !asked || !voted {
			t.Errorf("extraction %v, the critic was asked %v, a vote %v:\n%s", turn.Extraction, asked, voted, raw)
		}
	}
}
