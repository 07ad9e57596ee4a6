// SPDX-License-Identifier: Apache-2.0

package words

import "testing"

func TestAbout(t *testing.T) {
	for _, tc := range []struct{ name, profile, text, tool, want string }{
		{"nothing else is named", "demo-ev", "Open the sunroof halfway.", "open_close_sunroof", "Open the sunroof halfway"},
		{"it goes on about what was named", "demo-ev", "Open the sunroof. If the sunshade is in the way, open it fully.", "open_close_sunroof", "Open the sunroof"},
		{"and is about that", "demo-ev", "Open the sunroof. If the sunshade is in the way, open it fully.", "open_close_sunshade", "If the sunshade is in the way. open it fully"},
		{"before anything is named", "demo-ev", "Make it two. And start the fan.", "set_seat_heating", "Make it two"},
		{"both in one clause", "demo-ev", "Seat heating and steering wheel heating to 2.", "set_seat_heating", "Seat heating and steering wheel heating to 2"},
		{"a pane of another thing", "demo-ev", "Turn on the defrost of the front window.", "set_fan_airflow_direction", ""},
		{"greenhouse", "greenhouse", "Open the vents a bit. The shading fully.", "set_vent", "Open the vents a bit"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := loadLexicon(t, tc.profile, "en").About(tc.text, tc.tool); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
