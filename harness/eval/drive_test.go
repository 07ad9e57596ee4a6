// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/eval"
)

func TestDrive(t *testing.T) {
	write := acts("open_close_window", `{"window":"PASSENGER","percentage":0}`, "set_fan_speed", `{"level":1}`, "set_air_conditioning", `{"on":true}`)
	read := acts("get_climate_settings", `{}`, "get_vehicle_window_positions", `{}`)
	for _, tc := range []struct {
		name     string
		info     obj
		messages []obj
		want     eval.Change
		why      string
	}{
		{"obligations are met", lostState(), []obj{user("turn on the air conditioning"), read, acts("set_air_conditioning", `{"on":true}`), reply("The air conditioning is on.")}, eval.Recovered, "final state mended"},
		{"so are reads", lostState(), []obj{user("turn on the air conditioning"), acts("set_air_conditioning", `{"on":true}`), reply("The air conditioning is on.")}, eval.Recovered, "tool subset mended"},
		{"a good run stays good", nil, []obj{user("turn on the air conditioning"), read, write, reply("The air conditioning is on.")}, eval.Unchanged, ""},
		{"a write that is withheld breaks it", nil, []obj{user("Why is it so hot in here?"), read, write, reply("The air conditioning is on.")}, eval.Broken, "final state lost"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k := madeUp(t, coolDown("base"), tc.info, tc.messages...)
			d, err := eval.DriveRun(t.Context(), k, &k.Corpus.Runs[0])
			if err != nil {
				t.Fatal(err)
			}
			if d.Change != tc.want || !strings.Contains(strings.Join(d.Why, "\n"), tc.why) {
				t.Errorf("%s %q, want %s %q\nrepairs %q\nwithheld %+v\nquestions %+v", d.Change, d.Why, tc.want, tc.why, d.Repairs, d.Withheld, d.Questions)
			}
		})
	}
}

// A question of the harness is answered by the gold calls.
func TestDriveAnswers(t *testing.T) {
	for _, tc := range []struct {
		name string
		gold []obj
		want string
	}{
		{"yes", gold("open_close_window", `{"window":"ALL","percentage":50}`), "yes"},
		{"no", nil, "no"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			task := coolDown("base")
			task["actions"] = tc.gold
			task["context_init_config"].(obj)["air_conditioning"] = true
			k := madeUp(t, task, verdict(), user("open all windows halfway"), acts("get_climate_settings", `{}`),
				acts("open_close_window", `{"window":"ALL","percentage":50}`), reply("All windows are half open."))
			d, err := eval.DriveRun(t.Context(), k, &k.Corpus.Runs[0])
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Questions) != 1 || d.Questions[0].Answer != tc.want || d.Questions[0].By != "script" {
				t.Errorf("questions %+v, want one answered %q by script", d.Questions, tc.want)
			}
		})
	}
}
