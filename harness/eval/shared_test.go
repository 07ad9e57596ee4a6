// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/carguardd/carguardd/harness/eval"
	"github.com/carguardd/carguardd/vehicle/sim"
)

var update = flag.Bool("update", false, "write the floor anew")

// floorFile is what every figure has reached.
const floorFile = "../../testdata/eval/floor.json"

// TestNoFigureDrops measures everything on the recorded benchmark and holds
// it against the floor. With -short it replays a part of the runs: no figure can
// then be held against a floor of all of them, but every figure must be there and
// the blame must agree.
func TestNoFigureDrops(t *testing.T) {
	k := shared(t)
	if testing.Short() {
		k.Corpus.Runs = some(t, k.Corpus.Runs)
	}
	rep, err := eval.Replay(t.Context(), k, k.Corpus.Runs, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain := slices.DeleteFunc(slices.Clone(k.Corpus.Runs), func(r sim.Run) bool { return !eval.Plain(&r) })
	drive, err := eval.Drive(t.Context(), k, plain, nil)
	if err != nil {
		t.Fatal(err)
	}
	figures := append(rep.Figures, drive.Figures...)
	for i := range figures {
		t.Logf("%s: %s (bar %s)", figures[i].Name, figures[i].String(), figures[i].BarText())
	}
	if *update && !testing.Short() {
		writeFloor(t, figures)
	}
	raw, err := os.ReadFile(floorFile)
	if err != nil {
		t.Fatal(err)
	}
	floor, err := eval.ParseFloor(raw)
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		if len(figures) < len(floor) {
			t.Errorf("%d figures, the floor has %d", len(figures), len(floor))
		}
	} else if err := floor.Hold(figures); err != nil {
		t.Errorf("%v\n(go test ./harness/eval -run NoFigureDrops -update makes the present figures the floor; say why in the commit)", err)
	}
	blamed(t, rep)
}

// some takes every 10th run.
func some(t *testing.T, all []sim.Run) (part []sim.Run) {
	t.Helper()
	for i := 0; i < len(all); i += 10 {
		part = append(part, all[i])
	}
	if len(part) < 50 {
		t.Fatalf("only %d runs of %d", len(part), len(all))
	}
	return part
}

// writeFloor keeps what is reached. A figure of which less is better may move
// within its bar: the bar is its floor.
func writeFloor(t *testing.T, figures []eval.Figure) {
	t.Helper()
	floor := eval.Floor{}
	for i := range figures {
		f := &figures[i]
		is := f.Compared()
		if f.Most && !f.Free {
			is = max(is, f.Bar)
		}
		floor[f.Key] = math.Round(is*1e4) / 1e4
	}
	raw, err := json.MarshalIndent(floor, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(floorFile, append(raw, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The blame steps agree with a second opinion that was made another way.
func blamed(t *testing.T, rep *eval.ReplayReport) {
	t.Helper()
	for _, d := range rep.Blames {
		t.Errorf("%s: lost at %d, another opinion says %d: %s", d.Run, d.Ours.Message, d.Theirs, d.Explain)
	}
}

// The simulated car gives what was recorded.
func TestSimAgrees(t *testing.T) {
	c := shared(t).Corpus
	if testing.Short() {
		c.Runs = some(t, c.Runs)
	}
	rep, err := c.CompareSim(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if rep.Runs != len(c.Runs) || rep.Results == 0 {
		t.Errorf("%d runs and %d results of %d runs", rep.Runs, rep.Results, len(c.Runs))
	}
	for i := range rep.Figures {
		if f := &rep.Figures[i]; !f.Met() {
			t.Errorf("%s: %s, bar %s", f.Name, f.String(), f.BarText())
		}
	}
	for _, d := range rep.Differences {
		if d.Reason == "" {
			t.Errorf("%s message %d differs without a reason", d.Run, d.Message)
		}
	}
}
