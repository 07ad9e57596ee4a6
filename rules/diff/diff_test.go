// SPDX-License-Identifier: Apache-2.0

package diff_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/diff"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

func bundle(dir, lexicon, rulesYAML, tests string) fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		dir + "/manifest.yaml":     file("name: b\nrevision: 1\nlanguages: [en]\n"),
		dir + "/policy.md":         file(""),
		dir + "/lexicon/en.yaml":   file(lexicon),
		dir + "/rules/a.yaml":      file(rulesYAML),
		dir + "/rules/a_test.yaml": file(tests),
	}
}

const (
	oldRules = `rules:
- {id: gone, type: prohibition, on: [{call: move_sunroof}], forbid: {}}
- {id: fan, type: prohibition, on: [{call: set_fan, when: [{arg: level, gt: 3}]}], forbid: {}, unknown: refuse}
- {id: same, type: prohibition, on: [{call: set_airflow}], if: [{field: fan_speed, is: 0}], forbid: {}}
`
	newRules = `rules:
- {id: same, forbid: {}, type: prohibition, on: [{call: set_airflow}], if: [{is: 0, field: fan_speed}]} # the same
- {id: fan, type: prohibition, on: [{call: set_fan, when: [{arg: level, gt: 4}]}], forbid: {}, say: {en: No.}}
- {id: ac, type: auto_action, on: [{call: set_ac, when: [{arg: "on", is: true}]}], if: [{field: fan_speed, is: 0}], owe: [{call: set_fan, args: {level: 1}}]}
`
	oldTests = `tests:
- {name: roof, turns: [{draft: [{call: move_sunroof, args: {percentage: 1}}], want: {fires: [gone]}}]}
- {name: fan, turns: [{draft: [{call: set_fan, args: {level: 4}}], want: {fires: [fan]}}, {draft: [{call: set_fan, args: {level: 5}}], want: {fires: [fan]}}]}
- {name: words, prefers: [rain], turns: [{draft: [{call: set_fan, args: {level: 1}}], want: {}}]}
`
	newTests = `tests:
- {name: fan, turns: [{draft: [{call: set_fan, args: {level: 4}}], want: {}}]}
- {name: ac, state: {fan_speed: 0}, turns: [{draft: [{call: set_ac, args: {"on": true}}], want: {fires: [ac]}}]}
`
)

func TestRules(t *testing.T) {
	a, b := bundle("old", "words: {rain: [rain]}", oldRules, oldTests), bundle("new", "words: {wet: [wet]}", newRules, newTests)
	got, err := diff.Rules(a, "old", b, "new")
	if err != nil {
		t.Fatal(err)
	}
	want := []diff.Change{
		{Rule: "ac", Kind: diff.Added, Place: "new/rules/a.yaml:4:3"},
		{Rule: "fan", Kind: diff.Changed, Keys: []string{"on", "say", "unknown"}, Place: "new/rules/a.yaml:3:3"},
		{Rule: "gone", Kind: diff.Removed, Place: "old/rules/a.yaml:2:3"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if same, err := diff.Rules(a, "old", a, "old"); len(same) != 0 || err != nil {
		t.Errorf("a bundle differs from itself: %v, %v", same, err)
	}
}

func TestBehave(t *testing.T) {
	p, err := vehicle.Load(os.DirFS("../testdata/car"), "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cat := vehicle.NewCatalog(p)
	load := func(dir, lexicon, r, tests string) *rules.Set {
		set, err := rules.Load(bundle(dir, lexicon, r, tests), dir, cat)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	was, is := load("old", "words: {rain: [rain]}", oldRules, oldTests), load("new", "words: {wet: [wet]}", newRules, newTests)
	got := diff.Behave(was, is, cat, rulestest.Plain{})
	want := diff.Behaviour{Tests: 3, Skipped: []string{"old/rules/a_test.yaml:4:3: words"}, Shifts: []diff.Shift{
		{Case: "fan", Place: "new/rules/a_test.yaml:2:3", Turn: 1, Gone: []string{"fires fan", `holds set_fan{"level":4} by fan`}, Come: []string{`sends set_fan{"level":4}`}},
		{Case: "ac", Place: "new/rules/a_test.yaml:3:3", Turn: 1, Come: []string{"fires ac", "reads get_climate{}", `sends set_fan{"level":1}`}},
		{Case: "roof", Place: "old/rules/a_test.yaml:2:3", Turn: 1, Gone: []string{"fires gone", `holds move_sunroof{"percentage":1} by gone`}, Come: []string{`sends move_sunroof{"percentage":1}`}},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if same := diff.Behave(was, was, cat, rulestest.Plain{}); len(same.Shifts) != 0 || same.Tests != 3 {
		t.Errorf("a bundle differs from itself: %+v", same)
	}
}
