// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/cross/goldentest"
	"github.com/carguardd/carguardd/rules/lint"
	"github.com/carguardd/carguardd/vehicle"
)

func findings() []lint.Finding {
	return []lint.Finding{
		{Analyzer: "conflict", Level: lint.Error, Rule: "b", Pos: vehicle.Pos{File: "b/rules/a.yaml", Line: 3, Col: 5}, Text: "a and b", Hint: "choose",
			Related: []lint.Related{{Pos: vehicle.Pos{File: "b/rules/a.yaml", Line: 2, Col: 3}, Text: "rule a"}}},
		{Analyzer: "unused-word", Level: lint.Warning, Pos: vehicle.Pos{File: "b/lexicon/en.yaml"}, Text: "nothing uses <x>"},
	}
}

func TestWriteText(t *testing.T) {
	var b bytes.Buffer
	if err := lint.WriteText(&b, findings()); err != nil {
		t.Fatal(err)
	}
	const want = `b/rules/a.yaml:3:5: error: a and b [conflict] (choose)
  b/rules/a.yaml:2:3: rule a
b/lexicon/en.yaml: warning: nothing uses <x> [unused-word]
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestJSON(t *testing.T) {
	got, err := json.Marshal(findings()[0])
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"analyzer":"conflict","level":"error","rule":"b","file":"b/rules/a.yaml","line":3,"column":5,"message":"a and b","hint":"choose","related":[{"file":"b/rules/a.yaml","line":2,"column":3,"text":"rule a"}]}`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Error(d)
	}
}

// TestSARIF holds the log against what section 3 of SARIF 2.1.0 requires:
// every result names a rule of the driver by id and index, and a place.
func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := lint.WriteSARIF(&b, findings(), lint.Analyzers(), "1"); err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, *update, "testdata/findings.sarif", b.Bytes())
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Errorf("version %s, %d runs", log.Version, len(log.Runs))
	}
	for _, r := range log.Runs[0].Results {
		if log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("result of %s points at rule %d", r.RuleID, r.RuleIndex)
		}
	}
}
