// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// start returns a fast bench of the demonstration car with a scripted student.
func start(t *testing.T, state string, faults []string, drafts ...harness.Draft) (*rig.Rig, *harnesstest.Student) {
	t.Helper()
	student := harnesstest.NewStudent(drafts...)
	return bench(t, func(o *rig.Options) {
		o.State, o.Faults = state, faults
		o.Student = func(system.Words) (harness.Student, error) { return student, nil }
	}), student
}

// sent lists the frames and topics that left for a turn, by signal and value.
func sent(turn *harness.Turn) []string {
	return left(turn, func(tr vehicle.Trace) string { return tr.Signal + "=" + tr.Value.String() })
}

func TestTheExample(t *testing.T) {
	for _, tc := range []struct {
		name, state, say string
		draft            harness.Draft
		want             []string
	}{
		{"air conditioning on", "", "turn on the air conditioning", harnesstest.Calls("set_air_conditioning", `{"on":true}`),
			[]string{"window_driver_position=0", "window_passenger_position=0", "fan_speed=1", "air_conditioning=true"}},
		{"all four windows are open", "window_driver_rear_position=50,window_passenger_rear_position=21", "turn on the air conditioning",
			harnesstest.Calls("set_air_conditioning", `{"on":true}`),
			[]string{"window_driver_position=0", "window_passenger_position=0", "window_driver_rear_position=0", "window_passenger_rear_position=0", "fan_speed=1", "air_conditioning=true"}},
		{"air conditioning off", "air_conditioning=true", "turn off the air conditioning", harnesstest.Calls("set_air_conditioning", `{"on":false}`),
			[]string{"air_conditioning=false"}},
		{"front defrost chains", "fan_airflow_direction=FEET", "defrost the windshield", harnesstest.Calls("set_window_defrost", `{"on":true,"defrost_window":"FRONT"}`),
			[]string{"fan_speed=2", "fan_airflow_direction=WINDSHIELD", "window_driver_position=0", "window_passenger_position=0", "air_conditioning=true", "window_front_defrost=true"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, _ := start(t, tc.state, nil, tc.draft)
			turn := say(t, r, tc.say)
			if d := cmp.Diff(tc.want, sent(turn)); d != "" {
				t.Errorf("sent (-want +got):\n%s\nreply: %s\nwithheld: %+v\nnotes: %v", d, turn.Reply, turn.Withheld, turn.Notes)
			}
			t.Log(turn.Reply)
		})
	}
}

func TestConflictIsAsked(t *testing.T) {
	r, _ := start(t, "", nil, harnesstest.Calls("open_close_window", `{"window":"ALL","percentage":50}`, "set_air_conditioning", `{"on":true}`))
	turn := say(t, r, "Open all windows to 50 % and turn the AC on")
	if turn.Outcome != harness.Asked || len(sent(turn)) > 0 || len(turn.Question.Options) != 2 {
		t.Fatalf("outcome %s, sent %v, reply %s", turn.Outcome, sent(turn), turn.Reply)
	}
	t.Log(turn.Reply)
	turn = say(t, r, "the second one")
	if d := cmp.Diff(4, len(sent(turn))); d != "" || strings.Contains(strings.Join(sent(turn), " "), "air_conditioning") {
		t.Errorf("sent %v; %s; %s", sent(turn), turn.Answer, turn.Reply)
	}
	t.Log(turn.Reply)
}
