// SPDX-License-Identifier: Apache-2.0

package attack_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/goldentest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/eval/attack"
	"github.com/carguardd/carguardd/testdata"
)

var update = flag.Bool("update", false, "write golden files")

// suite are the attacks of the repository.
func suite(t testing.TB) []*attack.Case {
	t.Helper()
	cases, err := attack.Load(os.DirFS("../../../testdata"), "attacks")
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func stages(t testing.TB) map[string]*attack.Stage {
	t.Helper()
	out := map[string]*attack.Stage{}
	for name, at := range map[string][2]string{attack.InCar: {testdata.DemoEV, testdata.InCarBundle}, attack.Greenhouse: {testdata.Greenhouse, testdata.GreenhouseBundle}} {
		s, err := attack.NewStage(testdata.FS, at[0], at[1])
		if err != nil {
			t.Fatal(err)
		}
		out[name] = s
	}
	return out
}

// No attack succeeds, each is answered as it should be, and each succeeds when
// what holds it is switched off.
func TestAttacks(t *testing.T) {
	st := stages(t)
	cases := suite(t)
	tab := attack.NewTable(cases)
	for _, c := range cases {
		if c.Bench {
			continue // package rig plays it
		}
		t.Run(c.Name, func(t *testing.T) {
			o, err := st[c.Domain].Play(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range append(o.Succeeded, o.Unmet...) {
				t.Errorf("%s: %s", c.Pos, s)
			}
			if t.Failed() {
				t.Log(story(o))
			}
			without, err := st[c.Domain].Play(context.Background(), c, c.Held...)
			if err != nil {
				t.Fatal(err)
			}
			if len(without.Succeeded) == 0 {
				t.Errorf("%s: without %v it does not succeed either: the case shows nothing\n%s", c.Pos, c.Held, story(without))
			}
			tab.Add(c, o, without)
		})
	}
	t.Log("\n" + tab.String())
}

// story is what happened in an outcome, for people.
func story(o *attack.Outcome) string {
	var b strings.Builder
	for _, turn := range o.Turns {
		fmt.Fprintf(&b, "you:   %s (%s)\n", turn.Utterance, turn.Answer)
		for _, s := range turn.Steps {
			for _, c := range s.Checks {
				for _, f := range c.Findings {
					fmt.Fprintf(&b, "       %s %s %s: %s\n", f.Gate, f.Rule, f.Action, f.Note)
				}
			}
			for i, c := range s.Released {
				fmt.Fprintf(&b, "       %s %s %s\n", c.Canonical(), s.Results[i].Status, s.Results[i].Reason)
			}
		}
		fmt.Fprintf(&b, "reply: %s (%s) %v\n", turn.Reply, turn.Outcome, turn.Notes)
	}
	return b.String()
}

// The suite covers what it is for.
func TestSuiteIsBroad(t *testing.T) {
	cases := suite(t)
	kinds, langs, domains := map[string]int{}, map[string]int{}, map[string]int{}
	rules := map[string]bool{}
	for _, c := range cases {
		kinds[c.Kind]++
		langs[c.Lang]++
		domains[c.Domain]++
		for _, g := range c.Held {
			rules[g.String()] = true
		}
	}
	if len(cases) < 60 || len(kinds) < 9 || langs["de"] < 20 || domains[attack.Greenhouse] < 15 || len(rules) < 20 {
		t.Errorf("%d attacks, %d kinds, by language %v, by domain %v, held by %d guards", len(cases), len(kinds), langs, domains, len(rules))
	}
}

// docs/attacks.md lists the attacks.
func TestDocument(t *testing.T) {
	goldentest.Check(t, *update, filepath.Join("..", "..", "..", "docs", "attacks.md"), attack.Document(suite(t)))
}

// What is wrong with a file is told with its place.
func TestLoadErrors(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"unknown key", "kind: a\nattacks:\n- {nme: b}\n", "3:4: unknown key"},
		{"no turns", "kind: a\nattacks:\n- {name: b, never: {says: [x]}}\n", "held and turns are needed"},
		{"no never", "kind: a\nattacks:\n- {name: b, held: [rule x], turns: [{user: c}]}\n", "what would be its success"},
		{"no guard", "kind: a\nattacks:\n- {name: b, held: [x], turns: [{user: c}], never: {says: [x]}}\n", "rule NAME"},
		{"no pattern", "kind: a\nattacks:\n- {name: b, held: [rule x], turns: [{user: c}], never: {says: ['(']}}\n", "is no pattern"},
		{"twice", "kind: a\nattacks:\n- {name: b, held: [rule x], turns: [{user: c}], never: {says: [x]}}\n- {name: b, held: [rule x], turns: [{user: c}], never: {says: [x]}}\n", "there twice"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := attack.Load(os.DirFS(dir), "."); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %s", err, tc.want)
			}
		})
	}
}

// A guard that is not there is an error, not a control run that shows nothing.
func TestUnknownGuards(t *testing.T) {
	st := stages(t)
	c := suite(t)[0]
	for _, g := range []attack.Guard{{Kind: "rule", Name: "none"}, {Kind: "gate", Name: "none"}, {Kind: "interlock", Name: "trunk-at-standstill"}} {
		if _, err := st[c.Domain].Play(context.Background(), c, g); err == nil {
			t.Errorf("%v was switched off", g)
		}
	}
}

var _ harness.Student = attack.NewStudent(nil)
