// SPDX-License-Identifier: Apache-2.0

package explain_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/cross/goldentest"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/rules/explain"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/testdata"
)

var update = flag.Bool("update", false, "write the golden files anew")

func named(t *testing.T, set *rules.Set, name string) *rules.Case {
	t.Helper()
	for _, c := range set.Cases {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no test %q", name)
	return nil
}

// TestCase compares explanations of tests that show each type of rule with
// testdata/TYPE.txt.
func TestCase(t *testing.T) {
	car, carCat := bundletest.Load(t, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	house, houseCat := bundletest.Load(t, testdata.FS, testdata.GreenhouseBundle, testdata.Greenhouse)
	for _, c := range []struct {
		file, test, rule string
		house            bool
	}{
		{"auto_action", "two windows and the fan go with the air conditioning", "", false},
		{"precondition", "the shade goes before the roof", "005", false},
		{"confirmation", "rain asks, and the shade is part of the package", "008", false},
		{"by-trigger", "one window of all would open", "007", false},
		{"prohibition", "a running navigation is not replaced", "018", false},
		{"constraint", "two edits at once are made one after the other", "018-sequence", false},
		{"selection", "the organic offer", "organic", true},
		{"disclosure", "frost tonight", "frost", true},
		{"unknown", "no wind sensor, no wide vents", "vent-wind", true},
	} {
		t.Run(c.file, func(t *testing.T) {
			set, cat := car, carCat
			if c.house {
				set, cat = house, houseCat
			}
			rep := explain.Case(set, cat, named(t, set, c.test), c.rule)
			var b bytes.Buffer
			if err := rep.Write(&b); err != nil {
				t.Fatal(err)
			}
			path := "testdata/" + c.file + ".txt"
			goldentest.Check(t, *update, path, b.Bytes())
		})
	}
}

func TestFailuresAreShown(t *testing.T) {
	set, cat := bundletest.Load(t, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	c := *named(t, set, "the shade is open already")
	turn := *c.Turns[0]
	turn.Want.Fires = []string{"005"}
	c.Turns = []*rules.CaseTurn{&turn}
	rep := explain.Case(set, cat, &c, "")
	if len(rep.Failures) != 1 || !strings.Contains(rep.Failures[0], "rules that fire: want 005, got none") {
		t.Errorf("failures %q", rep.Failures)
	}
	doc, err := json.Marshal(rep)
	if err != nil || !bytes.Contains(doc, []byte(`{"rule":"005","type":"precondition","trigger":"open_close_sunroof{\"percentage\":30}","why":"applies and is kept",`)) {
		t.Errorf("%s, %v", doc, err)
	}
}

// TestAgrees: in every judgement of every test of the bundles an explanation
// says what judging says.
func TestAgrees(t *testing.T) {
	for bundle, profile := range map[string]string{testdata.InCarBundle: testdata.DemoEV, testdata.GreenhouseBundle: testdata.Greenhouse} {
		set, cat := bundletest.Load(t, testdata.FS, bundle, profile)
		looks := 0
		watch := func(l rulestest.Look) {
			looks++
			e := l.Rule.Explain(l.Env)
			if truth, _, _ := l.Rule.Triggered(l.Env); truth != e.Triggered {
				t.Errorf("%s: triggered is %v, explained as %v", l.Rule.ID, truth, e.Triggered)
			}
			if e.Triggered != rules.True {
				return
			}
			type match struct {
				item  string
				truth rules.Truth
				kept  rules.Truth
			}
			var want, got []match
			for _, m := range l.Rule.Matches(l.Env) {
				kept, _, _ := l.Rule.Needs(l.Env, &m)
				if l.Rule.Choose != nil {
					kept, _, _ = l.Rule.Chooses(l.Env, &m)
				}
				want = append(want, match{m.Item, m.Truth, kept})
			}
			for _, m := range e.Matches {
				if m.Truth != rules.False {
					got = append(got, match{m.Item, m.Truth, m.Kept})
				}
			}
			if d := cmp.Diff(want, got, cmp.AllowUnexported(match{})); d != "" {
				t.Errorf("%s (-judged +explained)\n%s", l.Rule.ID, d)
			}
		}
		for _, c := range set.Cases {
			rulestest.Play(set, cat, rulestest.Plain{Watch: watch}, c)
		}
		if looks < len(set.Cases) {
			t.Errorf("%d looks", looks)
		}
	}
}
