// SPDX-License-Identifier: Apache-2.0

package system_test

import (
	"context"
	"testing"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// The models besides the student are asked in the turns of a system.
func TestSecondModels(t *testing.T) {
	s := harnesstest.NewStudent(harnesstest.Say("I will turn on the fog lights."), harnesstest.Say("They are off."))
	r := newRig(t, vehicle.NewSystemClock(), zerolog.Nop(), s)
	now := r.System.Settings()
	now.Second = system.Second{Critic: &harnesstest.Critic{Verdicts: []harness.Verdict{{Confirmed: []int{1}}}},
		Extractor:  &harnesstest.Extractor{Found: map[string]harness.Extracted{"hello": {Asks: []string{"hello"}}}},
		Escalation: harnesstest.NewStudent()}
	if err := r.System.Change(now); err != nil {
		t.Fatal(err)
	}
	turn, err := r.System.Turn(context.Background(), "test", "hello")
	if err != nil {
		t.Fatal(err)
	}
	if turn.Reply != "They are off." || turn.Extraction == nil || len(turn.Asks) != 1 || turn.Steps[0].Checks[len(turn.Steps[0].Checks)-1].Critic == nil {
		t.Errorf("turn %+v", turn)
	}
}
