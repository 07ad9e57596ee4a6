// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness/eval"
	"github.com/carguardd/carguardd/vehicle"
)

func args(s string) vehicle.Value { return vehicle.MustJSON(s) }

// play replays the only run of a made-up record.
func play(t *testing.T, k *eval.Kit) *eval.Replayed {
	t.Helper()
	r, err := eval.ReplayRun(t.Context(), k, &k.Corpus.Runs[0])
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told is the findings of a run: gate, action, verdict.
func told(r *eval.Replayed) []string {
	var out []string
	for _, f := range r.Found {
		out = append(out, fmt.Sprintf("%d/%d %s %s %s", f.Message, f.Pass, f.Gate, f.Action, f.Verdict))
	}
	return out
}

const (
	reads  = "get_climate_settings"
	reads2 = "get_vehicle_window_positions"
)

func lostState() obj {
	return obj{"r_actions_final": 0, "r_actions_intermediate": 0, "r_tool_subset": 1, "r_tool_execution": 1, "r_user_end_conversation": 1}
}

func TestVerdicts(t *testing.T) {
	for _, tc := range []struct {
		name     string
		task     obj
		info     obj // nil: it passed
		messages []obj
		want     []string
	}{
		{"obligations the student forgot", coolDown("base"), lostState(),
			[]obj{user("turn on the air conditioning"), acts(reads, `{}`, reads2, `{}`), acts("set_air_conditioning", `{"on":true}`), reply("The air conditioning is on.")},
			[]string{"4/0 obligation repair right", "4/0 obligation repair right", "6/0 owed-on-reply repair late", "6/0 owed-on-reply repair late"}},
		{"reads the student forgot", coolDown("base"), lostState(),
			[]obj{user("turn on the air conditioning"), acts("set_air_conditioning", `{"on":true}`), reply("The air conditioning is on.")},
			[]string{"1/0 gather read right", "1/0 gather read right", "1/1 obligation repair right", "1/1 obligation repair right"}},
		{"a passed run that did it all", coolDown("base"), nil,
			[]obj{user("turn on the air conditioning"), acts(reads, `{}`, reads2, `{}`),
				acts("open_close_window", `{"window":"PASSENGER","percentage":0}`, "set_fan_speed", `{"level":1}`, "set_air_conditioning", `{"on":true}`),
				reply("The air conditioning is on.")},
			nil},
		{"a passed run in another order", coolDown("base"), nil,
			[]obj{user("turn on the air conditioning"), acts(reads, `{}`, reads2, `{}`),
				acts("set_air_conditioning", `{"on":true}`),
				acts("open_close_window", `{"window":"PASSENGER","percentage":0}`, "set_fan_speed", `{"level":1}`),
				reply("The air conditioning is on.")},
			[]string{"4/0 obligation repair harmless", "4/0 obligation repair harmless"}},
		{"a wrong block: the question was a request in the record", coolDown("base"), nil,
			[]obj{user("Why is it so hot in here?"), acts(reads, `{}`, reads2, `{}`),
				acts("open_close_window", `{"window":"PASSENGER","percentage":0}`, "set_fan_speed", `{"level":1}`, "set_air_conditioning", `{"on":true}`),
				reply("The air conditioning is on.")},
			[]string{"4/0 question-not-command block wrong", "4/0 question-not-command block wrong", "4/0 question-not-command block wrong", "4/0 unrequested-write ask wrong"}},
		{"a wrong claim is beside the point when a call erred before", coolDown("base"), obj{"r_actions_final": 1, "r_actions_intermediate": 1, "r_tool_subset": 1, "r_tool_execution": 0, "r_user_end_conversation": 1},
			[]obj{user("turn on the seat heating"), acts("set_seat_heating", `{"level":9,"seat_zone":"DRIVER"}`), reply("Something went wrong.")},
			[]string{"1/0 schema block right"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := play(t, madeUp(t, tc.task, tc.info, tc.messages...))
			if d := cmp.Diff(tc.want, told(r)); d != "" {
				t.Errorf("findings (-want +got):\n%s\nblame %+v", d, r.Blame)
				for _, f := range r.Found {
					t.Logf("%s %s: %s (%s)", f.Gate, f.Verdict, f.Note, f.Why)
				}
			}
		})
	}
}
