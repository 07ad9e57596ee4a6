// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/harnesstest"
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
