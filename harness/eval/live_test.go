// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/eval"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/faulty"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// recordedSetup plays the recorded runs of tasks.
func recordedSetup(k *eval.Kit, mode eval.Mode) eval.Setup {
	return eval.Setup{Name: string(mode), Mode: mode, Student: func(t *sim.Task, n int) (harness.Student, error) {
		return eval.NewRecordedStudent(k.Corpus.RunsOf(t.ID)[n], t), nil
	}}
}

func recordedUser(k *eval.Kit) func(*sim.Task, int) (eval.User, error) {
	return func(t *sim.Task, n int) (eval.User, error) {
		runs := k.Corpus.RunsOf(t.ID)
		return k.ScriptedUser(t, runs[n%len(runs)])
	}
}

// plainTasks are the tasks with a run that no harness was around.
func plainTasks(k *eval.Kit) []*sim.Task {
	var out []*sim.Task
	for id, t := range k.Corpus.Tasks {
		if runs := k.Corpus.RunsOf(id); len(runs) > 0 && eval.Plain(runs[0]) {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *sim.Task) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// A recorded student without harness, and the recorded driver, have the very
// conversation that was recorded.
func TestRecordedRunsComeOutAsRecorded(t *testing.T) {
	k := shared(t)
	l := eval.Live{Kit: k, Tasks: plainTasks(k), User: recordedUser(k), Keep: true, Jobs: 2}
	rep, err := l.Run(t.Context(), recordedSetup(k, eval.ModeNone))
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, r := range rep.Setups[0].Results {
		run := k.Corpus.RunsOf(r.Task)[0]
		sc, err := eval.Play(eval.NewConversation(run, k.Corpus.Tasks[r.Task]), k.Corpus.Data)
		if err != nil {
			t.Fatal(err)
		}
		if sc.Score.Passed() == r.Passed {
			same++
			continue
		}
		t.Errorf("%s %s: passed %v as recorded and %v now: %v %s", r.Task, run.ID, sc.Score.Passed(), r.Passed, r.Lost, r.Broken)
	}
	t.Logf("%d of %d the same", same, len(rep.Setups[0].Results))
}

// The whole harness around recorded students loses nobody a task and leaves no
// rule's demand behind; and the same seed gives the same report.
func TestModesOnRecordedRuns(t *testing.T) {
	k := shared(t)
	tasks := plainTasks(k)
	if testing.Short() {
		var part []*sim.Task
		for i := 0; i < len(tasks); i += 4 { // of every category
			part = append(part, tasks[i])
		}
		tasks = part
	}
	l := eval.Live{Kit: k, Tasks: tasks, User: recordedUser(k), Seed: 1, Driver: "script"}
	var done, of int
	l.Progress = func(d, o int) { of = o; done = max(done, d) }
	rep, err := l.Run(t.Context(), recordedSetup(k, eval.ModeNone), recordedSetup(k, eval.ModeFull), recordedSetup(k, eval.ModeGates))
	if err != nil {
		t.Fatal(err)
	}
	none, full, gates := &rep.Setups[0], &rep.Setups[1], &rep.Setups[2]
	for i, r := range full.Results {
		if was := none.Results[i]; was.Passed && !r.Passed {
			t.Errorf("%s passed without harness, and with it lost %v %s", r.Task, r.Lost, r.Broken)
		}
	}
	for _, s := range []*eval.SetupRun{full, gates} {
		if s.All.NearMiss > 0 || s.All.Broken > 0 {
			t.Errorf("%s: near misses %v, %d broken", s.Name, s.All.NearMiss, s.All.Broken)
		}
	}
	if none.All.NearMiss == 0 || full.All.Passed <= none.All.Passed && !testing.Short() || gates.All.Refused == 0 {
		t.Errorf("without harness: near misses %v, passed %d; with it %d; the gates refused %v a turn", none.All.NearMiss, none.All.Passed, full.All.Passed, gates.All.Refused)
	}
	if none.All.ModelCalls < 1 || none.All.Turns < len(tasks) || done != 3*len(tasks) || of != done {
		t.Errorf("%v model calls a turn in %d turns; progress %d of %d", none.All.ModelCalls, none.All.Turns, done, of)
	}
	if c := rep.Compared[0]; c.From != "none" || c.To != "full" || c.Tasks != len(tasks) || c.Interval.Low > c.Interval.Diff || c.Interval.High < c.Interval.Diff {
		t.Errorf("comparison %+v", c)
	}
	var out strings.Builder
	if err := rep.Write(&out, true); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"pass^1", "near misses", "difference", "a near miss: turn "} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the table lacks %q:\n%s", part, out.String())
		}
	}
}

// A student that misbehaves at random ends no run, breaks no rule under the
// harness, and costs its own trials only.
func TestFaultyStudentIsMeasured(t *testing.T) {
	k := shared(t)
	setup := func(mode eval.Mode) eval.Setup {
		return eval.Setup{Name: string(mode), Mode: mode, Student: func(t *sim.Task, n int) (harness.Student, error) {
			return faulty.NewRandom(faulty.Options{Seed: uint64(len(t.ID)*1000 + n)}), nil
		}}
	}
	l := eval.Live{Kit: k, Tasks: plainTasks(k)[:12], Trials: 2, User: recordedUser(k), Jobs: 2, Turns: 4}
	rep, err := l.Run(t.Context(), setup(eval.ModeFull), setup(eval.ModeGates), setup(eval.ModeNone))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range rep.Setups {
		if len(s.Results) != 24 || len(s.All.PassAll) != 2 || s.All.PassAll[1] > s.All.PassAny[1] {
			t.Errorf("%s: %d results, pass^k %v, pass@k %v", s.Name, len(s.Results), s.All.PassAll, s.All.PassAny)
		}
	}
	if full := rep.Setups[0]; full.All.NearMiss > 0 || full.All.Broken > 0 {
		t.Errorf("full: near misses %v, broken %d", full.All.NearMiss, full.All.Broken)
	}
}

// A server that is down ends a run: what was finished is reported, and why it
// ended.
func TestRunIsCutShort(t *testing.T) {
	k := shared(t)
	tasks := plainTasks(k)[:4]
	s := recordedSetup(k, eval.ModeNone)
	real := s.Student
	s.Student = func(t *sim.Task, n int) (harness.Student, error) {
		st, err := real(t, n)
		if t.ID == tasks[2].ID {
			return downStudent{student.Unreachable}, nil
		}
		return st, err
	}
	l := eval.Live{Kit: k, Tasks: tasks, User: recordedUser(k)}
	rep, err := l.Run(t.Context(), s, recordedSetup(k, eval.ModeFull))
	if !errors.Is(err, student.Unreachable) || !strings.Contains(err.Error(), tasks[2].ID+", trial 1") {
		t.Errorf("error %v", err)
	}
	if rep == nil || len(rep.Setups) != 1 || rep.Setups[0].All.Tasks != 2 || rep.CutShort == "" {
		t.Errorf("report %+v", rep)
	}
}

type downStudent struct{ kind student.Kind }

func (downStudent) Name() string                 { return "down" }
func (downStudent) Health(context.Context) error { return nil }
func (s downStudent) Draft(context.Context, *harness.Prompt) (harness.Draft, error) {
	return harness.Draft{}, student.Errorf(s.kind, nil, "no answer")
}

// A server that takes too long once, as student or as driver, costs its own
// conversation only.
func TestSlowModelCostsItsTrial(t *testing.T) {
	k := shared(t)
	tasks := plainTasks(k)[:3]
	s := recordedSetup(k, eval.ModeNone)
	real := s.Student
	s.Student = func(t *sim.Task, n int) (harness.Student, error) {
		if t.ID == tasks[0].ID {
			return downStudent{student.Timeout}, nil
		}
		return real(t, n)
	}
	user := recordedUser(k)
	l := eval.Live{Kit: k, Tasks: tasks, User: func(t *sim.Task, n int) (eval.User, error) {
		if t.ID == tasks[1].ID {
			return slowUser{}, nil
		}
		return user(t, n)
	}}
	rep, err := l.Run(t.Context(), s)
	if err != nil || rep.Setups[0].All.Tasks != 3 || rep.Setups[0].All.Broken != 2 {
		t.Fatalf("%v, %+v", err, rep)
	}
	for i, want := range []string{"the student failed: ", "the driver failed: ", ""} {
		if r := rep.Setups[0].Results[i]; !strings.HasPrefix(r.Broken, want) || (want == "") != (r.Broken == "") || r.Passed && want != "" {
			t.Errorf("%s: broken %q, passed %v", r.Task, r.Broken, r.Passed)
		}
	}
}

type slowUser struct{}

func (slowUser) Name() string { return "slow" }
func (slowUser) Next(context.Context, *eval.Talk) (string, bool, harness.Usage, error) {
	return "", false, harness.Usage{}, student.Errorf(student.Timeout, nil, "no answer in time")
}

// The figures of a report are those of the trials, and two reports can be
// compared.
func TestReportOfTrials(t *testing.T) {
	l := func(passed ...bool) (out []*eval.Trial) {
		for i, p := range passed {
			x := &eval.Trial{Task: "t" + string(rune('0'+i/2)), Category: []string{"a", "b"}[i/2%2], Trial: i%2 + 1, Passed: p, Turns: 2, Seconds: 1}
			x.Usage.ModelCalls, x.Usage.InputTokens = 4, 100
			if p && i == 0 {
				x.Near = []string{"turn 1: gather, rule 1"}
			}
			out = append(out, x)
		}
		return out
	}
	rep, err := eval.ReportOf(2, eval.SetupRun{Name: "x", Results: l(true, true, true, false)}, eval.SetupRun{Name: "y", Results: l(true, true, true, true)})
	if err != nil {
		t.Fatal(err)
	}
	x := rep.Setups[0]
	want := eval.Summary{Tasks: 2, Trials: 4, Passed: 3, PassAll: []float64{0.75, 0.5}, PassAny: []float64{0.75, 1}, NearMiss: 1.0 / 3, Turns: 8,
		InputTokens: 50, ModelCalls: 2, Seconds: 0.5}
	if d := cmp.Diff(want, x.All); d != "" {
		t.Errorf("summary (-want +got):\n%s", d)
	}
	if len(x.By) != 2 || x.By[1].Category != "b" || x.By[1].Passed != 1 {
		t.Errorf("by category %+v", x.By)
	}
	if c := rep.Compared; len(c) != 3 || c[0].Interval.Diff != 0.25 || c[2].Category != "b" || c[2].Interval.Diff != 0.5 {
		t.Errorf("compared %+v", c)
	}
	other, err := eval.ReportOf(2, eval.SetupRun{Name: "z", Results: l(false, false, true, true)})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Against(rep); err != nil || other.Compared[0].From != "x (earlier)" || other.Compared[0].Interval.Diff != -0.25 {
		t.Errorf("against an earlier report: %v %+v", err, other.Compared)
	}
	if err := other.Against(&eval.LiveReport{}); err == nil {
		t.Error("an empty report was compared with")
	}
}
