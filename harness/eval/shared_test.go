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
// it against the floor.
func TestNoFigureDrops(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole replay takes half a minute")
	}
	k := shared(t)
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
	if *update {
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
	if err := floor.Hold(figures); err != nil {
		t.Errorf("%v\n(go test ./harness/eval -run NoFigureDrops -update makes the present figures the floor; say why in the commit)", err)
	}
	blamed(t, rep)
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
	if testing.Short() {
		t.Skip("a whole replay takes seconds")
	}
	rep, err := shared(t).Corpus.CompareSim(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
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
