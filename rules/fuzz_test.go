// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// FuzzLoad reads arbitrary rule and test files. Whatever they hold, Load says
// what is wrong with a place, or returns a set that can be judged.
func FuzzLoad(f *testing.F) {
	cat := car(f)
	ar, err := txtar.ParseFile("testdata/errors.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range ar.Files {
		f.Add(file.Data, []byte("tests: []"))
	}
	for _, pattern := range []string{"../testdata/bundles/*/rules/*.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("no bundles: %v", err)
		}
		for _, n := range names {
			data, err := os.ReadFile(n)
			if err != nil {
				f.Fatal(err)
			}
			f.Add([]byte(goodRule), data)
			f.Add(data, []byte{})
		}
	}
	f.Add([]byte("rules:"+benchRules), []byte("tests:\n- {name: a, turns: [{draft: [{call: set_ac, args: {on: true}}], want: {}}]}\n"))
	f.Fuzz(func(t *testing.T, ruleFile, testFile []byte) {
		set, err := rules.Load(bundle(string(ruleFile), string(testFile)), "b", cat)
		if err != nil {
			var ps vehicle.Problems
			if !errors.As(err, &ps) || len(ps) == 0 {
				t.Fatalf("an error that is no problem: %v", err)
			}
			for _, p := range ps {
				if p.Pos.File == "" || p.Text == "" {
					t.Errorf("a problem without place or text: %+v", p)
				}
			}
			return
		}
		for _, tool := range cat.Tools {
			e := &rulestest.Env{Cat: cat, Call: &vehicle.Call{Tool: tool.Name, Args: vehicle.ObjectOf()}}
			for _, r := range append(set.On(tool.Name), set.OnResult(tool.Name)...) {
				judgeAll(set, r, e)
			}
		}
		for _, r := range set.OnReply() {
			judgeAll(set, r, &rulestest.Env{Cat: cat})
		}
		rulestest.Run(set, cat, rulestest.Plain{})
	})
}

// judgeAll calls everything that the harness does on a rule.
func judgeAll(set *rules.Set, r *rules.Rule, e *rulestest.Env) {
	r.Triggered(e)
	r.Missing(e.Cat)
	r.Asks(e, set)
	for _, m := range r.Matches(e) {
		r.Needs(e, &m)
		_, _ = r.Owed(e, &m)
		r.Tells(e, set, &m)
		r.Sentence(e, set, &m, "de")
		if r.Choose != nil {
			r.Chooses(e, &m)
		}
	}
}
