// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// Of several samples of a writing draft, the set of calls that most propose
// counts.
func TestVote(t *testing.T) { // 123, 129, 130, 134, B51, B52
	one, two := harnesstest.Calls("set_fan", `{"level":1}`), harnesstest.Calls("set_fan", `{"level":2}`)
	read, well := harnesstest.Calls("get_state", `{}`), harnesstest.Say("Well.")
	fan := func(level string) string { return `set_fan{"level":` + level + `}` }
	for _, tc := range []struct {
		name   string
		n      int
		drafts []harness.Draft
		want   *harness.Vote // of the first step
		writes []string
		calls  int
	}{
		{"off", 1, []harness.Draft{two, well}, nil, []string{fan("2")}, 2},
		{"twice of three", 3, []harness.Draft{two, one, one, well}, &harness.Vote{Drafts: 3, Won: 1,
			Sets: []harness.Ballot{{Calls: []string{fan("2")}, Votes: 1}, {Calls: []string{fan("1")}, Votes: 2}}}, []string{fan("1")}, 4},
		{"no more samples than can decide", 3, []harness.Draft{two, two, well}, &harness.Vote{Drafts: 2,
			Sets: []harness.Ballot{{Calls: []string{fan("2")}, Votes: 2}}}, []string{fan("2")}, 3},
		{"the order of keys and calls is no other set", 2,
			[]harness.Draft{harnesstest.Calls("set_fan", `{"level":1}`, "set_lamp", `{"color":"RED","level":1}`),
				harnesstest.Calls("set_lamp", `{"level":1,"color":"RED"}`, "set_fan", `{"level":1}`), well},
			&harness.Vote{Drafts: 2, Sets: []harness.Ballot{{Calls: []string{fan("1"), `set_lamp{"color":"RED","level":1}`}, Votes: 2}}},
			[]string{fan("1"), `set_lamp{"color":"RED","level":1}`}, 3},
		{"a tie is the first one's", 2, []harness.Draft{two, one, well}, &harness.Vote{Drafts: 2,
			Sets: []harness.Ballot{{Calls: []string{fan("2")}, Votes: 1}, {Calls: []string{fan("1")}, Votes: 1}}}, []string{fan("2")}, 3},
		{"replies count by their kind", 4, []harness.Draft{two, harnesstest.Say("Shall I?"), harnesstest.Say("Now?"), harnesstest.Say("I cannot."), well},
			&harness.Vote{Drafts: 4, Won: 1, Sets: []harness.Ballot{{Calls: []string{fan("2")}, Votes: 1}, {Reply: "question", Votes: 2}, {Reply: "refusal", Votes: 1}}}, nil, 4},
		{"a sample that fails", 3, []harness.Draft{two, harnesstest.Silent(), two, well}, &harness.Vote{Drafts: 2, Failed: 1,
			Sets: []harness.Ballot{{Calls: []string{fan("2")}, Votes: 2}}}, []string{fan("2")}, 4},
		{"a read is not sampled", 3, []harness.Draft{read, well}, nil, nil, 2},
		{"a reply is not sampled", 3, []harness.Draft{well}, nil, nil, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newScene(t, nil, tc.drafts...)
			sc.session.Config.Vote = tc.n
			sc.session.Config.Off.Prefetch = true
			turn := sc.say("set the fan to 1 or 2, and the lamp to red 1")
			sc.writes(tc.writes...)
			if d := cmp.Diff(tc.want, turn.Steps[0].Vote); d != "" {
				t.Errorf("vote (-want +got):\n%s", d)
			}
			if turn.Usage.ModelCalls != tc.calls {
				t.Errorf("%d model calls, want %d", turn.Usage.ModelCalls, tc.calls)
			}
		})
	}
}
