// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// criticisms are what the trace says about the critic.
func criticisms(t *harness.Turn) []harness.Criticism {
	var out []harness.Criticism
	for _, s := range t.Steps {
		for _, c := range s.Checks {
			if c.Critic != nil {
				k := *c.Critic
				k.Took = 0
				out = append(out, k)
			}
		}
	}
	return out
}

// The critic confirms or discards by number, and nothing else counts.
func TestCritic(t *testing.T) { // B46, B48
	const by = "scripted critic"
	cannot, ok := harnesstest.Say("I cannot set the lamp. I will set the fan."), harnesstest.Say("All right.")
	for _, tc := range []struct {
		name   string
		critic *harnesstest.Critic
		want   harness.Criticism
		reply  string
		calls  int // of models, besides a read
		told   []string
	}{
		{"both confirmed", &harnesstest.Critic{Verdicts: []harness.Verdict{{Confirmed: []int{2, 1}}}},
			harness.Criticism{By: by, Put: 2, Confirmed: []int{1, 2}}, "All right.", 3, []string{"[refusal]", "[promise]"}},
		{"one confirmed", &harnesstest.Critic{Verdicts: []harness.Verdict{{Confirmed: []int{2}, Discarded: []int{1}}}},
			harness.Criticism{By: by, Put: 2, Confirmed: []int{2}, Discarded: []int{1}}, "All right.", 3, []string{"[promise]"}},
		{"both discarded", &harnesstest.Critic{Verdicts: []harness.Verdict{{Discarded: []int{1, 2}}}},
			harness.Criticism{By: by, Put: 2, Discarded: []int{1, 2}}, cannot.Text, 2, nil},
		{"not mentioned is dropped", &harnesstest.Critic{Verdicts: []harness.Verdict{{}}},
			harness.Criticism{By: by, Put: 2}, cannot.Text, 2, nil},
		{"numbers that nobody put", &harnesstest.Critic{Verdicts: []harness.Verdict{{Confirmed: []int{0, 3, -1, 99}, Discarded: []int{7}}}},
			harness.Criticism{By: by, Put: 2, Ignored: 5}, cannot.Text, 2, nil},
		{"one both ways", &harnesstest.Critic{Verdicts: []harness.Verdict{{Confirmed: []int{1, 2, 2}, Discarded: []int{1}}}},
			harness.Criticism{By: by, Put: 2, Confirmed: []int{2}, Ignored: 2}, "All right.", 3, []string{"[promise]"}},
		{"unavailable", &harnesstest.Critic{Err: errors.New("nobody there"), Verdicts: []harness.Verdict{{Confirmed: []int{1}}}},
			harness.Criticism{By: by, Put: 2, Failed: "nobody there"}, cannot.Text, 2, nil},
		{"late", &harnesstest.Critic{Wait: true, Verdicts: []harness.Verdict{{Confirmed: []int{1}}}},
			harness.Criticism{By: by, Put: 2, Failed: "context deadline exceeded"}, cannot.Text, 2, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newScene(t, nil, harnesstest.Calls("get_lamp", `{}`), cannot, ok)
			sc.session.Critic = tc.critic
			sc.session.Config.CriticDeadline = time.Second
			if tc.critic.Wait {
				sc.session.Config.CriticDeadline = time.Millisecond
			}
			turn := sc.say("set the lamp")
			if d := cmp.Diff([]harness.Criticism{tc.want}, criticisms(turn)); d != "" {
				t.Errorf("trace (-want +got):\n%s", d)
			}
			if turn.Reply != tc.reply || turn.Usage.ModelCalls != tc.calls+1 {
				t.Errorf("reply %q after %d calls, want %q after %d", turn.Reply, turn.Usage.ModelCalls, tc.reply, tc.calls+1)
			}
			var told []string
			for _, p := range sc.student.Prompts() {
				for _, line := range strings.Split(strings.TrimSpace(p.Findings), "\n") {
					if _, rest, ok := strings.Cut(line, ". "); ok {
						told = append(told, strings.Fields(rest)[0])
					}
				}
			}
			if d := cmp.Diff(tc.told, told); d != "" {
				t.Errorf("told (-want +got):\n%s", d)
			}
			if failed := tc.want.Failed != ""; failed != slices.ContainsFunc(turn.Notes, func(n string) bool { return strings.HasSuffix(n, "its advisories were dropped") }) {
				t.Errorf("notes %q", turn.Notes)
			}
		})
	}
}

// No advisories, no call; and a turn without a critic looks for none.
func TestNoAdvisoriesNoCritic(t *testing.T) { // 121, B47
	critic := &harnesstest.Critic{}
	sc := newScene(t, map[string]float64{"fan": 1}, harnesstest.Calls("set_heater", `{"on":true}`), harnesstest.Say("I've turned on the heater."))
	sc.session.Critic = critic
	turn := sc.say("turn on the heater")
	if len(critic.Cases()) != 0 || turn.Usage.ModelCalls != 2 || len(criticisms(turn)) != 0 {
		t.Errorf("%d cases, %d model calls", len(critic.Cases()), turn.Usage.ModelCalls)
	}
	sc = newScene(t, nil, harnesstest.Say("I will set the fan."))
	if turn := sc.say("hello"); turn.Usage.ModelCalls != 1 || len(criticisms(turn)) != 0 {
		t.Errorf("without a critic: %d model calls", turn.Usage.ModelCalls)
	}
}

// An advisory gate that is switched off is not asked.
func TestAdvisoryThatIsOff(t *testing.T) {
	critic := &harnesstest.Critic{}
	sc := newScene(t, nil, harnesstest.Calls("get_lamp", `{}`), harnesstest.Say("I cannot set the lamp. I will set the fan."))
	sc.session.Critic, sc.session.Config.NoAdvice = critic, []string{"promise"}
	sc.say("set the lamp")
	if cases := critic.Cases(); len(cases) != 1 || len(cases[0].Advisories) != 1 || !strings.Contains(cases[0].Advisories[0], "set_lamp") {
		t.Errorf("cases %+v", cases)
	}
}

// A critic cannot let anything out: what is hard does not pass by it, and what
// it does to an advisory has no effect on the car.
func TestCriticDecidesNothingHard(t *testing.T) { // B48
	on := harnesstest.Calls("set_cleaner", `{"on":true}`)
	sc := newScene(t, map[string]float64{"grill": 1}, on, on, on)
	sc.session.Critic = &harnesstest.Critic{Verdicts: []harness.Verdict{{Discarded: []int{1, 2, 3}}}}
	turn := sc.say("start the cleaner")
	sc.writes()
	if len(turn.Withheld) != 1 || turn.Withheld[0].Gate != "prohibition" {
		t.Errorf("withheld %+v", turn.Withheld)
	}
}

// An advisory is put once a turn, before the call goes out, and a student that
// stays with its draft is taken at its word.
func TestAdvisoryIsPutOnce(t *testing.T) { // 64, 126
	add := harnesstest.Calls("add_course", `{"dish":"soup"}`)
	critic := &harnesstest.Critic{Verdicts: []harness.Verdict{{Confirmed: []int{1}}}}
	sc := newScene(t, nil, add, add, harnesstest.Say("Well."))
	sc.session.Critic = critic
	turn := sc.say("do drop the soup course")
	sc.writes(`add_course{"dish":"soup"}`)
	cases := critic.Cases()
	if len(cases) != 1 || !strings.Contains(cases[0].Advisories[0], "drop_course does") || len(cases[0].Prompt.Tools.Tools) == 0 {
		t.Errorf("cases %+v, notes %v", cases, turn.Notes)
	}
}

// A critic that breaks off costs its advisories and nothing else.
func TestCriticThatPanics(t *testing.T) { // 134
	sc := newScene(t, nil, harnesstest.Say("I will set the fan."))
	sc.session.Critic = brokenCritic{}
	turn := sc.say("hello")
	if turn.Reply != "I will set the fan." || len(turn.Notes) != 1 || !strings.Contains(turn.Notes[0], "it broke off: boom") {
		t.Errorf("reply %q, notes %q", turn.Reply, turn.Notes)
	}
}

type brokenCritic struct{}

func (brokenCritic) Name() string { return "broken" }

func (brokenCritic) Judge(context.Context, *harness.Case) (harness.Verdict, error) { panic("boom") }
