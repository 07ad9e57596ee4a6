// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// A read that was demanded for the student goes back to it once; what it then
// drafts counts, be it the same.
func TestDemandedReadIsSeenByTheStudent(t *testing.T) {
	blue, red := harnesstest.Calls("set_lamp", `{"color":"BLUE","level":2}`), harnesstest.Calls("set_lamp", `{"color":"RED","level":2}`)
	done := harnesstest.Say("I've set the lamp.")
	for _, tc := range []struct {
		name   string
		wishes string
		second bool // another draft than the first
		want   string
		models int
	}{
		{"it decides anew", `{"lamp":["red in the evening"]}`, true, `set_lamp{"color":"RED","level":2}`, 3},
		{"it stays with it", `{"lamp":["red in the evening"]}`, false, `set_lamp{"color":"BLUE","level":2}`, 3},
		{"there was nothing to see", `{"lamp":[]}`, true, `set_lamp{"color":"BLUE","level":2}`, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newScene(t, nil, blue)
			sc.session.Config.Off.Prefetch = true
			sc.car.Answers["recall_wishes"] = vehicle.MustJSON(tc.wishes)
			switch {
			case tc.models == 2:
				sc.student.Then(done)
			case tc.second:
				sc.student.Then(red, done)
			default:
				sc.student.Then(blue, done)
			}
			turn := sc.say("set the lamp to blue red")
			if diff := cmp.Diff([]string{tc.want}, sc.car.Writes()); diff != "" {
				t.Errorf("writes (-want +got):\n%s\nreply %q, notes %v", diff, turn.Reply, turn.Notes)
			}
			if turn.Usage.ModelCalls != tc.models {
				t.Errorf("%d model calls, want %d", turn.Usage.ModelCalls, tc.models)
			}
			if p := sc.student.Prompts(); tc.models == 3 && !strings.Contains(p[1].Findings, "decide anew") {
				t.Errorf("the student was told %q", p[1].Findings)
			}
		})
	}
}

// A choice is put to the driver only after what could be read about it was
// seen.
func TestChoiceIsAskedAfterReading(t *testing.T) {
	which := harnesstest.Say("Which color should the lamp have?")
	sc := newScene(t, nil, which, which)
	sc.car.Answers["recall_wishes"] = vehicle.MustJSON(`{"lamp":["red in the evening"]}`)
	turn := sc.say("set the lamp")
	if turn.Reply != "Which color should the lamp have?" || turn.Usage.ModelCalls != 2 {
		t.Errorf("reply %q after %d model calls", turn.Reply, turn.Usage.ModelCalls)
	}
	var reads []string
	for _, c := range sc.car.Calls() {
		reads = append(reads, c.Tool)
	}
	if diff := cmp.Diff([]string{"recall_wishes", "get_lamp"}, reads); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
}
