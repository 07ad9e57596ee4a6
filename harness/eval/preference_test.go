// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"testing"

	"github.com/carguardd/carguardd/harness/eval"
	"github.com/carguardd/carguardd/vehicle"
)

// A read of stored preferences is worth something when it tells one about the
// tools at fault that had not been read.
func TestPreferences(t *testing.T) {
	climate := `{"preference_categories":{"vehicle_settings":{"climate_control":true}}}`
	weather := `{"preference_categories":{"weather":{"weather":true}}}`
	warm := acts("set_fan_speed", `{"level":4}`)
	for _, tc := range []struct {
		name     string
		messages []obj
		read     string
		want     bool
		class    string
	}{
		{"never read", []obj{user("fan to four"), warm, reply("Done.")}, climate, true, "a value set before a stored preference about it was read"},
		{"another category", []obj{user("fan to four"), warm, reply("Done.")}, weather, false, "a value set before a stored preference about it was read"},
		{"read already", []obj{user("fan to four"), acts("get_user_preferences", climate), warm, reply("Done.")}, climate, false, "a value that nothing gave"},
		{"asked instead", []obj{user("fan to four"), reply("How strong?")}, climate, true, "asked or spoke before a stored preference about it was read"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			task := coolDown("base")
			task["actions"] = gold("set_fan_speed", `{"level":2}`)
			task["context_init_config"].(obj)["user_preferences"] = obj{"vehicle_settings": obj{"climate_control": []string{"likes the fan at level 2"}},
				"weather": obj{"weather": []string{}}}
			k := madeUp(t, task, verdict("r_actions_final"), tc.messages...)
			r := play(t, k)
			call := vehicle.Call{Tool: "get_user_preferences", Args: args(tc.read)}
			if got := eval.Tells(k, r, 0, call); got != tc.want {
				t.Errorf("the read tells something: %v, want %v", got, tc.want)
			}
			missed := k.Missed([]*eval.Replayed{r}, func(*eval.Replayed) bool { return true })
			if len(missed) != 1 || missed[0].Class != tc.class {
				t.Errorf("missed %+v, want one of class %q", missed, tc.class)
			}
		})
	}
}
