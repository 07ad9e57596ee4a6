// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

func TestPrefetch(t *testing.T) {
	state, doors := "get_state{}", "get_door_positions{}"
	for _, tc := range []struct {
		name string
		say  string
		off  harness.Repairs
		want []string
	}{
		{"what a rule on the command needs, and on from what it owes", "turn on the grill", harness.Repairs{}, []string{doors, state}},
		{"what only the owed call's rules need is not left out", "turn on the heater", harness.Repairs{}, []string{doors, state}},
		{"the other way triggers nothing", "turn off the heater", harness.Repairs{}, nil},
		{"a repair that nobody owes yet needs no more", "open the hood to 50 percent", harness.Repairs{}, []string{"get_flap_and_hood{}"}},
		{"closing it needs nothing", "close the hood", harness.Repairs{}, nil},
		{"a value that is left open may be a preference", "turn on the lamp", harness.Repairs{}, []string{`recall_wishes{"about":{"lamp":true}}`}},
		{"a remark needs nothing", "it is dark in here", harness.Repairs{}, nil},
		{"nothing is named", "do something nice", harness.Repairs{}, nil},
		{"a question about a state", "is the grill on?", harness.Repairs{}, []string{state}},
		{"switched off", "turn on the grill", harness.Repairs{Prefetch: true}, nil},
		{"no reads at all", "turn on the grill", harness.Repairs{Reads: true}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newSceneIn(t, englishTongue(t, ovenCatalog(t)), nil, harnesstest.Say("Well."))
			sc.session.Config.Off = tc.off
			turn := sc.say(tc.say)
			var got []string
			for _, st := range turn.Steps {
				if st.Draft.Student == harness.PrefetchStudent {
					for i, c := range st.Released {
						if c.Origin != "prefetch" || !st.Results[i].OK() {
							t.Errorf("%s: origin %q, result %v", c.Canonical(), c.Origin, st.Results[i])
						}
						got = append(got, c.Canonical())
					}
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("reads (-want +got):\n%s", diff)
			}
		})
	}
}

// What was read once is not fetched again, and costs no model call.
func TestPrefetchOnce(t *testing.T) {
	sc := newSceneIn(t, englishTongue(t, ovenCatalog(t)), map[string]float64{"fan": 2},
		harnesstest.Calls("set_grill", `{"on":true}`), harnesstest.Say("It is on."),
		harnesstest.Calls("set_heater", `{"on":true}`), harnesstest.Say("It is on."))
	first := sc.say("turn on the grill")
	sc.writes(`set_heater{"on":true}`, `set_grill{"on":true}`)
	if first.Usage.ModelCalls != 2 || len(first.Steps[0].Released) != 2 {
		t.Errorf("%d model calls, prefetched %v", first.Usage.ModelCalls, first.Steps[0].Released)
	}
	for _, st := range sc.say("turn on the heater").Steps {
		if st.Draft.Student == harness.PrefetchStudent {
			t.Errorf("fetched again: %v", st.Released)
		}
	}
}
