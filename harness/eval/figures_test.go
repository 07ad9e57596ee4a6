// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
)

func found(gate string, a harness.Action, v Verdict, subject string) Found {
	return Found{Gate: gate, Action: a, Verdict: v, Subject: subject, Finding: &harness.Finding{Tier: harness.Hard}}
}

// runsOf makes one run of each kind that the figures tell apart.
func runsOf() []*Replayed {
	failed := func(f ...Found) *Replayed { return &Replayed{Plain: true, Found: f, Turns: 2, Extra: 1, Reads: 1} }
	passed := func(f ...Found) *Replayed { return &Replayed{Plain: true, Passed: true, Found: f, Turns: 2} }
	return []*Replayed{
		failed(found("schema", harness.Block, Right, onWrite)),
		failed(found("value-grounding", harness.AskFirst, Right, onWrite)),
		failed(found("gather", harness.DemandRead, Right, onWrite), found("schema", harness.Block, Beside, onRead)),
		failed(found("schema", harness.Block, Late, onWrite)),
		failed(),
		passed(found("schema", harness.Block, Wrong, onWrite)),
		passed(found("confirmation", harness.AskFirst, Wrong, onWrite), found("loop", harness.Block, Wrong, onRead)),
		passed(found("gather", harness.DemandRead, Harmless, onWrite)),
		{Found: []Found{found("schema", harness.Block, Right, onWrite)}},
		{Passed: true, Found: []Found{found("schema", harness.Block, Wrong, onWrite)}},
		{Passed: true, Found: []Found{found("loop", harness.Block, Wrong, onRead)}},
	}
}

func TestFigures(t *testing.T) {
	got := map[string]string{}
	for _, f := range Figures(runsOf()) {
		got[f.Key] = f.String()
	}
	want := map[string]string{
		"right": "2 of 5", "right-reads": "3 of 5", "right-no-wording": "1 of 5",
		"wrong-block": "1 of 3", "wrong-block-undemanded": "1 of 3", "wrong-read-block": "1 of 3", "wrong-other": "1 of 3", "wrong-demand": "0 of 3",
		"others-right": "100.0 % (1 of 1)", "others-wrong": "50.0 % (1 of 2)", "extra-reads": "0.31",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("figures (-want +got):\n%s", d)
	}
}

func TestGateTable(t *testing.T) {
	rows := GateTable(runsOf(), func(r *Replayed) bool { return r.Plain })
	got := map[string]GateRow{}
	for _, r := range rows {
		got[r.Gate+" "+string(r.Kind)] = r
	}
	want := GateRow{Gate: "schema", Kind: KindBlock, InTime: 2, Right: 1, Late: 1, Passed: 1, Wrong: 1, FiringPrecision: 2.0 / 3, Precision: 0.5,
		LostRight: 1, SavedWrong: 1, Fired: 4, ShareFailed: 3.0 / 5, SharePassed: 1.0 / 4}
	if d := cmp.Diff(want, got["schema block"]); d != "" {
		t.Errorf("schema (-want +got):\n%s", d)
	}
	// Two gates are wrong in the same run: taking one away saves nothing.
	if c := got["confirmation ask or say"]; c.SavedWrong != 0 || c.Wrong != 1 {
		t.Errorf("confirmation %+v, want one wrong and none saved", c)
	}
	fired := slices.DeleteFunc(slices.Clone(rows), func(r GateRow) bool { return r.Fired == 0 })
	if len(fired) != 5 || fired[0].Gate != "schema" {
		t.Errorf("%d gates fired, the first of them %s; want five, in the order of the gates", len(fired), fired[0].Gate)
	}
}

func TestFloor(t *testing.T) {
	f := Floor{"up": 5, "down": 2, "share": 50}
	ok := []Figure{{Key: "up", Value: 6}, {Key: "down", Value: 2, Most: true}, {Key: "share", Value: 1, Of: 2, Share: true}, {Key: "new", Value: -1}}
	if err := f.Hold(ok); err != nil {
		t.Errorf("nothing is worse: %v", err)
	}
	bad := []Figure{{Key: "up", Name: "A", Value: 4}, {Key: "down", Name: "B", Value: 3, Most: true}, {Key: "share", Name: "C", Value: 49, Of: 100, Share: true}}
	err := f.Hold(bad)
	if err == nil {
		t.Fatal("three figures are worse and nobody says so")
	}
	if want := "A fell from 5 to 4\nB rose from 2 to 3\nC fell from 50 to 49"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if _, err := ParseFloor([]byte(`{"a": "b"}`)); err == nil {
		t.Error("a floor of words was read")
	}
	if err := Floor(nil).Hold(bad); err != nil {
		t.Errorf("no floor holds everything: %v", err)
	}
}

func TestJUnit(t *testing.T) {
	out := JUnit("eval <x>", []Figure{{Key: "a", Name: "A", Value: 4, Bar: 3}, {Key: "b", Name: "B & C", Value: 4, Bar: 5}, {Key: "c", Name: "C", Value: 1, Bar: 1}}, Floor{"c": 2})
	var s struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Name    string    `xml:"name,attr"`
			Failure *struct{} `xml:"failure"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal(out, &s); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if s.Tests != 3 || s.Failures != 1 || s.Skipped != 1 || s.Cases[0].Failure != nil || s.Cases[1].Skipped == nil || s.Cases[1].Name != "B & C" || s.Cases[2].Failure == nil {
		t.Errorf("read back %+v from\n%s", s, out)
	}
}

func TestClasses(t *testing.T) {
	f := func(run, gate string) Found {
		x := found(gate, harness.Block, Wrong, onWrite)
		x.Run = run
		return x
	}
	got := Classes([]Found{f("1", "b"), f("1", "a"), f("1", "a"), f("2", "a"), f("3", "a"), f("4", "a")})
	if len(got) != 2 || got[0].Gate != "a" || got[0].Runs != 4 || strings.Join(got[0].Examples, " ") != "1:0 2:0 3:0" {
		t.Errorf("classes %+v, want a in four runs first, with three examples", got)
	}
}
