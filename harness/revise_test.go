// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// The last round is about hard findings alone, happens only after another
// revision, and is the escalation student's where there is one.
func TestLastRound(t *testing.T) { // 132
	bad := func(level string) harness.Draft { return harnesstest.Calls("set_fan", `{"level":`+level+`}`) }
	good, well := bad("2"), harnesstest.Say("Well.")
	const fan2 = `set_fan{"level":2}`
	for _, tc := range []struct {
		name      string
		drafts    []harness.Draft
		escalate  []harness.Draft // nil: there is nobody
		off       bool
		rounds    int
		want      []string
		asked     int // prompts of the student
		escalated int // prompts of the other one
	}{
		{"the student itself", []harness.Draft{bad("7"), bad("8"), bad("9"), good, well}, nil, false, 2, []string{fan2}, 5, 0},
		{"switched off", []harness.Draft{bad("7"), bad("8"), bad("9"), well}, nil, true, 2, nil, 4, 0},
		{"the escalation student", []harness.Draft{bad("7"), bad("8"), bad("9"), well}, []harness.Draft{good}, false, 2, []string{fan2}, 4, 1},
		{"the student insists, nobody else is there", []harness.Draft{bad("7"), bad("7"), well}, nil, false, 2, nil, 3, 0},
		{"the student insists, and the other one knows better", []harness.Draft{bad("7"), bad("7"), well}, []harness.Draft{good}, false, 2, []string{fan2}, 3, 1},
		{"it fails too", []harness.Draft{bad("7"), bad("8"), well}, []harness.Draft{bad("6")}, false, 1, nil, 3, 1},
		{"it says nothing", []harness.Draft{bad("7"), bad("8"), well}, []harness.Draft{harnesstest.Silent()}, false, 1, nil, 3, 1},
		{"mended before", []harness.Draft{bad("7"), good, well}, []harness.Draft{bad("3")}, false, 2, []string{fan2}, 3, 0},
		{"nothing to revise", []harness.Draft{good, well}, []harness.Draft{bad("3")}, false, 2, []string{fan2}, 2, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newScene(t, nil, tc.drafts...)
			other := harnesstest.NewStudent(tc.escalate...)
			if tc.escalate != nil {
				sc.session.Escalation = other
			}
			sc.session.Config.NoLastRound, sc.session.Config.Rounds = tc.off, tc.rounds
			turn := sc.say("set the fan")
			sc.writes(tc.want...)
			if a, e := len(sc.student.Prompts()), len(other.Prompts()); a != tc.asked || e != tc.escalated {
				t.Errorf("asked %d and %d times, want %d and %d; notes %q", a, e, tc.asked, tc.escalated, turn.Notes)
			}
			for _, p := range other.Prompts() {
				if !strings.Contains(p.Findings, "[schema]") || len(p.Rejected) == 0 {
					t.Errorf("the other student got %q and %d rejected drafts", p.Findings, len(p.Rejected))
				}
			}
			last := slices.ContainsFunc(turn.Notes, func(n string) bool { return strings.HasPrefix(n, "last round") })
			if last != (tc.escalated > 0 || tc.asked == 5) {
				t.Errorf("notes %q", turn.Notes)
			}
		})
	}
}

// What was only advisory is not in the last round's note.
func TestLastRoundLeavesAdvisoriesOut(t *testing.T) {
	sc := newScene(t, nil, harnesstest.Calls("set_fan", `{"level":7}`, "add_course", `{"dish":"soup"}`), harnesstest.Calls("set_fan", `{"level":8}`), harnesstest.Say("Well."))
	other := harnesstest.NewStudent(harnesstest.Calls("set_fan", `{"level":1}`))
	sc.session.Escalation, sc.session.Config.Rounds = other, 1
	sc.session.Critic = &harnesstest.Critic{Verdicts: []harness.Verdict{{Confirmed: []int{1}}}}
	sc.say("set the fan and do drop the soup course")
	first := sc.student.Prompts()[1].Findings
	if !strings.Contains(first, "[substitution]") || !strings.Contains(first, "[schema]") {
		t.Errorf("the first note: %q", first)
	}
	if n := other.Prompts()[0].Findings; strings.Contains(n, "[substitution]") || !strings.Contains(n, "[schema]") {
		t.Errorf("the last note: %q", n)
	}
	sc.writes(`set_fan{"level":1}`)
}

// A demand of conduct that the student has answered with another draft is
// dropped when it is made again, and said in the trace; what rules, forms and
// truth demand is not.
func TestValve(t *testing.T) { // 29, 133, B49
	again := harnesstest.Say("Which dish should I put on the menu today?")
	other := harnesstest.Calls("get_menu", `{}`)
	open := func(off bool) (*harness.Turn, *scene) {
		sc := newScene(t, nil, again)
		sc.session.Config.NoValve, sc.session.Config.Off.Prefetch = off, true
		sc.say("start the menu")
		sc.student.Then(other, again, harnesstest.Calls("get_state", `{}`), again, again)
		return sc.say("the soup"), sc
	}
	turn, _ := open(false)
	dropped := slices.ContainsFunc(turn.Notes, func(n string) bool { return strings.HasPrefix(n, "valve: dropped what asked-twice demands") })
	if turn.Reply != again.Text || !dropped {
		t.Errorf("reply %q, notes %q", turn.Reply, turn.Notes)
	}
	if turn, _ := open(true); turn.Reply == again.Text || slices.ContainsFunc(turn.Notes, func(n string) bool { return strings.HasPrefix(n, "valve") }) {
		t.Errorf("switched off: reply %q, notes %q", turn.Reply, turn.Notes)
	}
	for name, d := range map[string]struct {
		state map[string]float64
		draft harness.Draft
	}{
		"a rule":  {map[string]float64{"grill": 1}, harnesstest.Calls("set_cleaner", `{"on":true}`)},
		"a form":  {nil, harnesstest.Calls("set_fan", `{"level":9}`)},
		"a claim": {nil, harnesstest.Say("I've set the fan.")},
	} {
		sc := newScene(t, d.state, d.draft, harnesstest.Calls("get_lamp", `{}`), d.draft, harnesstest.Calls("get_menu", `{}`), d.draft, d.draft)
		turn := sc.say("set the fan and start the cleaner")
		if len(sc.car.Writes()) > 0 || turn.Reply == d.draft.Text || slices.ContainsFunc(turn.Notes, func(n string) bool { return strings.HasPrefix(n, "valve") }) {
			t.Errorf("%s: writes %v, reply %q, notes %q", name, sc.car.Writes(), turn.Reply, turn.Notes)
		}
	}
}

// useless is what a student says whose answer was of no use.
type useless struct{}

func (useless) Error() string { return "an answer without text and calls" }
func (useless) Useless() bool { return true }

// stutter fails its first drafts.
type stutter struct {
	harness.Student
	fails []error
}

func (s *stutter) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	if len(s.fails) > 0 {
		err := s.fails[0]
		s.fails = s.fails[1:]
		return harness.Draft{Usage: harness.Usage{ModelCalls: 1}}, err
	}
	return s.Student.Draft(ctx, p)
}

// An answer that is of no use is asked for once more; a server that is not there
// is not.
func TestDegenerateAnswerIsAskedForOnceMore(t *testing.T) { // 135
	for _, tc := range []struct {
		name    string
		fails   []error
		outcome harness.Outcome
		calls   int
	}{
		{"once", []error{useless{}}, harness.Spoke, 2},
		{"twice", []error{useless{}, useless{}}, harness.Faulted, 2},
		{"nobody there", []error{errors.New("unreachable")}, harness.Faulted, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newScene(t, nil)
			sc.session.Student = &stutter{harnesstest.NewStudent(harnesstest.Say("Hello.")), tc.fails}
			turn := sc.say("hello")
			if turn.Outcome != tc.outcome || turn.Usage.ModelCalls != tc.calls {
				t.Errorf("outcome %s after %d calls, notes %q", turn.Outcome, turn.Usage.ModelCalls, turn.Notes)
			}
		})
	}
}
