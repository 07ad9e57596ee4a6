// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
)

// A draft goes back to the student twice when nothing else is configured.
func TestDefaultRounds(t *testing.T) { // 125
	bad := calls("set_fan", `{"level":9}`)
	sc := newScene(t, nil, bad, bad, bad, bad, bad, bad)
	sc.session.Config.NoLastRound = true
	sc.say("fan to 9")
	sc.writes()
	revised := 0
	for _, p := range sc.student.Prompts() {
		if p.Findings != "" {
			revised++
		}
	}
	if revised != 2 {
		t.Errorf("%d revisions, want two", revised)
	}
}

// The note to the student holds each finding once, at most six, while all of
// them keep their calls from going out.
func TestNoteToTheStudent(t *testing.T) { // 131
	var list []string
	for i := range 8 {
		list = append(list, "set_fan", fmt.Sprintf(`{"level":%d}`, 9+i))
	}
	list = append(list, "set_fan", `{"level":9}`) // the same once more
	d := calls(list...)
	sc := newScene(t, nil, d, harness.Draft{Text: "I cannot do that."})
	turn := sc.say("fan to 9")
	sc.writes()
	prompts := sc.student.Prompts()
	if len(prompts) < 2 {
		t.Fatalf("the student was asked %d times", len(prompts))
	}
	lines := strings.Split(strings.TrimSpace(prompts[1].Findings), "\n")
	seen := map[string]bool{}
	for _, l := range lines {
		_, note, _ := strings.Cut(l, ". ")
		if seen[note] || !strings.HasPrefix(note, "[schema] ") {
			t.Errorf("line %q", l)
		}
		seen[note] = true
	}
	if len(lines) != 6 {
		t.Errorf("%d lines, want six:\n%s", len(lines), prompts[1].Findings)
	}
	held := map[string]bool{}
	for _, f := range turn.Steps[0].Checks[0].Findings {
		for _, id := range f.Subjects {
			held[id] = true
		}
	}
	if len(held) < 9 {
		t.Errorf("%d of nine calls are held", len(held))
	}
}
