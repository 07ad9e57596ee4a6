// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// unfenced is a language whose speech has no code fences.
type unfenced struct{ harnesstest.Plain }

func (unfenced) Speakable(text string) string { return strings.Trim(text, "`\n") }

func TestReplyOfMarkupAloneIsNone(t *testing.T) {
	sc := newSceneIn(t, unfenced{}, nil, harnesstest.Say("```\n```"), harnesstest.Say("```\n```"))
	turn := sc.say("hello")
	if !strings.Contains(turn.Reply, "nothing-changed") {
		t.Errorf("reply %q", turn.Reply)
	}
	if n := len(sc.student.Prompts()); n != 2 {
		t.Errorf("%d drafts, want one and a revision", n)
	}
}

// What was told in an earlier turn was told about that turn.
func TestDisclosureIsTiedToItsTurn(t *testing.T) {
	hood := harnesstest.Calls("move_hood", `{"percentage":50}`)
	sc := newScene(t, map[string]float64{"flap": 100}, hood, harnesstest.Say("Okay."), hood, harnesstest.Say("Okay."))
	for range 2 {
		if turn := sc.say("move the hood"); turn.Reply != "Okay. The hood is at 50." {
			t.Errorf("reply %q", turn.Reply)
		}
		sc.car.Set("hood", vehicle.NumberOf(0))
	}
}

// What was foretold of the very value that was set then is not told again.
func TestDisclosureForetold(t *testing.T) {
	hood := harnesstest.Calls("move_hood", `{"percentage":50}`)
	for said, want := range map[string]string{
		"The hood will be at 50. Shall I?": "Okay.",
		"The hood will be at 40. Shall I?": "Okay. The hood is at 50.",
	} {
		sc := newScene(t, map[string]float64{"flap": 100}, harnesstest.Say(said), hood, harnesstest.Say("Okay."))
		sc.say("hello")
		if turn := sc.say("move the hood"); turn.Reply != want {
			t.Errorf("after %q: reply %q, want %q", said, turn.Reply, want)
		}
	}
}
