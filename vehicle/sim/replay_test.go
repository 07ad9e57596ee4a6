// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/carguardd/carguardd/cross/sharedtest"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

func load(t testing.TB) (*sim.Data, map[string]*sim.Task, []sim.Run) {
	t.Helper()
	dir := sharedtest.Path(t, "carbench")
	data, err := sim.LoadRecord(os.DirFS(filepath.Join(dir, "mockdata")))
	if err != nil {
		t.Fatal(err)
	}
	list, err := sim.LoadTasks(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	tasks := map[string]*sim.Task{}
	for i := range list {
		tasks[list[i].ID] = &list[i]
	}
	runs, err := sim.LoadRuns(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return data, tasks, runs
}

// bar is the share of recorded results that must come out the same.
const bar = 0.995

func TestReplay(t *testing.T) {
	data, tasks, runs := load(t)
	results, same := 0, 0
	verdicts := map[string][2]int{}
	for i := range runs {
		r := &runs[i]
		rep, score, err := sim.Replay(tasks[r.Task], data, r)
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		for _, x := range rep {
			results++
			if x.Match {
				same++
				continue
			}
			t.Logf("%s %s message %d: %s%v\n  recorded %.300s\n  got      %.300s", r.ID, r.Task, x.Message, x.Call.Tool, x.Call.Args, x.Recorded, x.Got)
		}
		for name, v := range map[string]bool{"r_actions_final": score.Final, "r_actions_intermediate": score.Intermediate,
			"r_tool_subset": score.Subset, "r_tool_execution": score.Execution} {
			compare(t, verdicts, r, name, v, score)
		}
		if want, ok := r.Info.Member("policy_aut_errors"); ok && want.Kind() == vehicle.List {
			n := verdicts["policy_aut"]
			n[1]++
			if (want.Len() == 0) == score.Policy {
				n[0]++
			} else {
				t.Logf("%s %s: policy errors %v, recorded %v", r.ID, r.Task, score.PolicyErrors, want)
			}
			verdicts["policy_aut"] = n
		}
	}
	t.Logf("results: %d of %d (%.2f %%)", same, results, 100*float64(same)/float64(results))
	for name, n := range verdicts {
		t.Logf("%s: %d of %d", name, n[0], n[1])
		if n[1]-n[0] > differing[name] {
			t.Errorf("%s: %d verdicts differ from the record, at most %d may", name, n[1]-n[0], differing[name])
		}
	}
	if results < 3000 || float64(same) < bar*float64(results) {
		t.Errorf("%d of %d recorded results came out the same, want %.1f %%", same, results, 100*bar)
	}
}

// differing is how many verdicts may differ: those that rest on a look-up
// which the data lacks.
var differing = map[string]int{"r_tool_execution": 8}

func compare(t *testing.T, verdicts map[string][2]int, r *sim.Run, name string, got bool, score sim.Score) {
	v, _ := r.Info.Member(name)
	want, ok := v.Float()
	if !ok {
		return
	}
	n := verdicts[name]
	n[1]++
	if (want == 1) == got {
		n[0]++
	} else if len(score.Gaps) > 0 {
		t.Logf("%s %s: %s is %v, recorded %v: the data lacks %v", r.ID, r.Task, name, got, want, score.Gaps)
	} else {
		t.Errorf("%s %s: %s differs without a gap in the data", r.ID, r.Task, name)
		t.Logf("%s %s: %s is %v, recorded %v (missing %v, errors %v, off path %d)", r.ID, r.Task, name, got, want,
			score.MissingTools, score.ToolErrors, score.OffPath)
	}
	verdicts[name] = n
}
