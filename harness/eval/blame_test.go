// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness/eval"
)

// verdict is the recorded verdict of a run that lost the named components.
func verdict(lost ...string) obj {
	v := obj{"r_actions_final": 1, "r_actions_intermediate": 1, "r_tool_subset": 1, "r_tool_execution": 1, "r_user_end_conversation": 1}
	for _, l := range lost {
		v[l] = 0
	}
	return v
}

// faults is a blame in short: component@message, its calls, and whether what
// was said is at fault.
func faults(b eval.Blame) []string {
	out := []string{fmt.Sprint("lost at ", b.Message)}
	for _, f := range b.Faults {
		out = append(out, fmt.Sprintf("%s@%d %v %v", f.Component, f.Message, f.Calls, f.Reply))
	}
	return out
}

func TestBlame(t *testing.T) {
	closed := acts("open_close_window", `{"window":"PASSENGER","percentage":0}`, "set_fan_speed", `{"level":1}`)
	read := acts("get_climate_settings", `{}`, "get_vehicle_window_positions", `{}`) // messages 1 to 3
	on := acts("set_air_conditioning", `{"on":true}`)
	for _, tc := range []struct {
		name     string
		category string
		info     obj
		messages []obj
		want     []string
	}{
		{"a value no gold state has", "base", verdict("r_actions_final", "r_actions_intermediate"),
			[]obj{user("cool"), read, acts("set_fan_speed", `{"level":1}`, "set_fan_speed", `{"level":3}`, "open_close_window", `{"window":"PASSENGER","percentage":0}`, "set_air_conditioning", `{"on":true}`), reply("Done.")},
			[]string{"lost at 4", "state@4 [m4.1] false"}},
		{"a foreign value that was corrected before it spoke, and one that was not", "base", verdict("r_actions_final"),
			[]obj{user("cool"), read, acts("set_fan_speed", `{"level":4}`), acts("set_seat_heating", `{"level":2,"seat_zone":"DRIVER"}`), closed, on, reply("Done.")},
			[]string{"lost at 6", "state@6 [m6.0] false"}},
		{"it spoke between writes in an order that gold has not", "base", verdict("r_actions_intermediate"),
			[]obj{user("cool"), read, acts("set_fan_speed", `{"level":1}`), reply("Shall I go on?"), user("yes"), acts("open_close_window", `{"window":"PASSENGER","percentage":0}`, "set_air_conditioning", `{"on":true}`), reply("Done.")},
			[]string{"lost at 6", "state@6 [m4.0] true"}},
		{"it never acted", "base", verdict("r_actions_final", "r_tool_subset"),
			[]obj{user("cool"), reply("How cool?")},
			[]string{"lost at 1", "state@1 [] true", "subset@1 [] false"}},
		{"an error", "base", verdict("r_tool_execution"),
			[]obj{user("cool"), read, acts("set_seat_heating", `{"level":7,"seat_zone":"DRIVER"}`), closed, on, reply("Done.")},
			[]string{"lost at 4", "execution@4 [m4.0] false"}},
		{"a policy check", "base", verdict(),
			[]obj{user("cool"), read, acts("open_close_window", `{"window":"PASSENGER","percentage":0}`), on, reply("Done.")},
			[]string{"lost at 6", "policy@6 [m6.0] false"}},
		{"the driver gave up", "hallucination", verdict("r_user_end_conversation"),
			[]obj{user("cool"), reply("One moment."), user("well?"), reply("It cannot be done.")},
			[]string{"lost at 3", "driver@3 [] true"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := play(t, madeUp(t, coolDown(tc.category), tc.info, tc.messages...))
			if d := cmp.Diff(tc.want, faults(r.Blame)); d != "" {
				t.Errorf("blame (-want +got):\n%s", d)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	r := play(t, madeUp(t, coolDown("base"), verdict("r_actions_final", "r_tool_subset"), user("cool"), acts("get_climate_settings", `{}`), reply("How cool?")))
	var names []string
	for _, c := range r.Blame.Faults[0].Missing {
		names = append(names, c.Tool)
	}
	if want := []string{"get_vehicle_window_positions", "open_close_window", "set_fan_speed", "set_air_conditioning"}; !slices.Equal(names, want) {
		t.Errorf("missing %v, want %v", names, want)
	}
}
