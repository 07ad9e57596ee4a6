// SPDX-License-Identifier: Apache-2.0

package rulestest_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

func load(t *testing.T, ruleYAML, testYAML string) (*rules.Set, *vehicle.Catalog) {
	t.Helper()
	p, err := vehicle.Load(os.DirFS("../testdata/car"), "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	cat := vehicle.NewCatalog(p)
	set, err := rules.Load(fstest.MapFS{
		"b/manifest.yaml":     file("name: b\nrevision: 1\nlanguages: [en]\n"),
		"b/policy.md":         file(""),
		"b/lexicon/en.yaml":   file("words: {rain: [rain, wet], toll: [toll]}\n"),
		"b/rules/a.yaml":      file("rules:\n" + strings.TrimLeft(ruleYAML, "\n")),
		"b/rules/a_test.yaml": file(strings.TrimLeft(testYAML, "\n")),
	}, "b", cat)
	if err != nil {
		t.Fatal(err)
	}
	return set, cat
}

// TestRunFindsDifferences: a wrong expectation of each kind is reported.
func TestRunFindsDifferences(t *testing.T) {
	set, cat := load(t, `
- {id: close, type: auto_action, on: [{call: set_ac, when: [{arg: on, is: true}]}], if: [{field: window_driver_position, gt: 20}], owe: [{call: move_window, args: {window: DRIVER, percentage: 0}}]}
- {id: ask, type: confirmation, on: [{call: set_fan}], ask: {naming: [level], warn: [rain]}}
- {id: never, type: prohibition, on: [{call: move_sunroof}], forbid: {}}
- {id: tell, type: disclosure, on: [{call: set_airflow}], tell: [{word: toll}]}
`, `
state: {window_driver_position: 30}
tests:
- name: calls
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {fires: [close], calls: []}}]
- name: reads
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {fires: [close], reads: []}}]
- name: fires
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {}}]
- name: silent though it fired
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {fires: [close], silent: [close]}}]
- name: silent though it never looked
  turns: [{draft: [{call: set_ac, args: {on: false}}], want: {silent: [never]}}]
- name: held
  turns: [{draft: [{call: move_sunroof, args: {percentage: 1}}], want: {fires: [never], held: [{by: close}]}}]
- name: asked
  turns: [{draft: [{call: set_fan, args: {level: 1}}], want: {fires: [ask], asked: [{by: ask, naming: {level: 2}}]}}]
- name: asked without a warning
  turns: [{draft: [{call: set_fan, args: {level: 1}}], want: {fires: [ask], asked: [{by: ask, warn: [toll]}]}}]
- name: told
  turns: [{draft: [{call: set_airflow, args: {direction: FEET}}], want: {fires: [tell], told: []}}]
- name: this one passes
  turns: [{draft: [{call: set_airflow, args: {direction: FEET}}], reply: There is a toll., want: {silent: [tell], told: []}}]
`)
	rep := rulestest.Run(set, cat, rulestest.Plain{})
	want := []string{
		`b/rules/a_test.yaml:4:61: test "calls", turn 1: calls: want none, got move_window{"percentage":0,"window":"DRIVER"}, set_ac{"on":true}`,
		`b/rules/a_test.yaml:6:61: test "reads", turn 1: reads: want none, got get_windows{}`,
		`b/rules/a_test.yaml:8:61: test "fires", turn 1: rules that fire: want none, got close`,
		`b/rules/a_test.yaml:10:61: test "silent though it fired", turn 1: rule close was to stay silent: it fired`,
		`b/rules/a_test.yaml:12:62: test "silent though it never looked", turn 1: rule never was to look and stay silent: it did not look`,
		`b/rules/a_test.yaml:14:72: test "held", turn 1: held: close is missing`,
		`b/rules/a_test.yaml:14:72: test "held", turn 1: held: never move_sunroof{"percentage":1}: forbidden was not wanted`,
		`b/rules/a_test.yaml:16:62: test "asked", turn 1: asked: ask naming {"level":2} is missing`,
		`b/rules/a_test.yaml:16:62: test "asked", turn 1: asked: ask set_fan{"level":1} naming {"level":1} warning of rain was not wanted`,
		`b/rules/a_test.yaml:18:62: test "asked without a warning", turn 1: asked: ask warning of toll is missing`,
		`b/rules/a_test.yaml:18:62: test "asked without a warning", turn 1: asked: ask set_fan{"level":1} naming {"level":1} warning of rain was not wanted`,
		`b/rules/a_test.yaml:20:73: test "told", turn 1: told: tell toll was not wanted`,
		"b/rules/a.yaml:3:3: no test makes rule ask look and stay silent (add one to its test file)",
		"b/rules/a.yaml:4:3: no test makes rule never look and stay silent (add one to its test file)",
	}
	if d := cmp.Diff(want, strings.Split(rep.Err().Error(), "\n")); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if rep.Passed != 1 {
		t.Errorf("%d passed", rep.Passed)
	}
}

// TestPlain runs what the bundles do not show: each of these tests passes.
func TestPlain(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/scenes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(ar.Files); i += 2 {
		t.Run(strings.TrimSuffix(ar.Files[i].Name, ".yaml"), func(t *testing.T) {
			set, cat := load(t, strings.TrimPrefix(string(ar.Files[i].Data), "rules:\n"), string(ar.Files[i+1].Data))
			if err := rulestest.Run(set, cat, rulestest.Plain{}).Err(); err != nil {
				t.Error(err)
			}
		})
	}
}
