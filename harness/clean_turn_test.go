// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// A clean turn makes exactly the student's own calls of a model, one a draft:
// what rules owe and what must be read is code's work, a critic without
// advisories is not asked, and reads and replies are not voted on.
func TestModelCallsOfACleanTurn(t *testing.T) {
	turns := []struct {
		name   string
		state  map[string]float64
		say    string
		drafts []harness.Draft
		writes bool
	}{
		{"a reply", nil, "hello", []harness.Draft{say("Hello.")}, false},
		{"a read and a reply", nil, "how is it?", []harness.Draft{calls("get_state", `{}`), say("All is off.")}, false},
		{"two reads, one after the other", nil, "how is it?", []harness.Draft{calls("get_state", `{}`), calls("get_door_positions", `{}`), say("All is off and shut.")}, false},
		{"a write", map[string]float64{"fan": 1}, "turn on the heater", []harness.Draft{calls("set_heater", `{"on":true}`), say("I've turned on the heater.")}, true},
		{"a write with reads and calls owed", map[string]float64{"door_left_position": 50}, "turn on the grill", []harness.Draft{calls("set_grill", `{"on":true}`), say("I've turned on the grill.")}, true},
	}
	for _, c := range []struct {
		name   string
		vote   int
		critic *harnesstest.Critic
	}{
		{"the student alone", 0, nil},
		{"with a critic", 0, &harnesstest.Critic{}},
		{"with a vote of three", 3, nil},
		{"with both", 3, &harnesstest.Critic{}},
	} {
		for _, tc := range turns {
			if c.vote > 1 && tc.writes {
				continue // each sample is a call that the configuration asks for
			}
			t.Run(c.name+"/"+tc.name, func(t *testing.T) {
				sc := newScene(t, tc.state, tc.drafts...)
				sc.session.Config.Vote = max(c.vote, 1)
				if c.critic != nil {
					sc.session.Critic = c.critic
				}
				turn := sc.say(tc.say)
				if made, asked := turn.Usage.ModelCalls, len(sc.student.Prompts()); made != len(tc.drafts) || asked != len(tc.drafts) {
					t.Errorf("%d model calls, the student was asked %d times, want %d", made, asked, len(tc.drafts))
				}
				if c.critic != nil && len(c.critic.Cases()) != 0 {
					t.Errorf("the critic was asked %d times", len(c.critic.Cases()))
				}
				if turn.Reply != tc.drafts[len(tc.drafts)-1].Text {
					t.Errorf("reply %q", turn.Reply)
				}
			})
		}
	}
}
