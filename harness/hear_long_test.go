// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// Of what never ends only the beginning is heard, and the turn says so.
func TestEndlessUtterance(t *testing.T) {
	for _, tc := range []struct{ name, text, heard string }{
		{"words", "hello " + strings.Repeat("and ", 300_000), "hello and"},
		{"one word", strings.Repeat("ä", 300_000), "ää"},
		{"as long as may be", strings.Repeat("and ", 1024), "and and"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newScene(t, nil, harnesstest.Say("Hello."))
			turn := sc.say(tc.text)
			cut := len(tc.text) > 4<<10
			if len(turn.Utterance) > 4<<10 || !strings.HasPrefix(turn.Utterance, tc.heard) || turn.Outcome != harness.Spoke {
				t.Errorf("outcome %s, %d bytes were heard", turn.Outcome, len(turn.Utterance))
			}
			if noted := strings.Contains(strings.Join(turn.Notes, "\n"), "were heard"); noted != cut {
				t.Errorf("notes %q", turn.Notes)
			}
		})
	}
}
