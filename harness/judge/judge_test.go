// SPDX-License-Identifier: Apache-2.0

package judge_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/harness/judge"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// A wrong expectation of each kind is noticed.
func TestJudgeNoticesDifferences(t *testing.T) {
	p, err := vehicle.Load(os.DirFS("../../rules/testdata/car"), "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cat := vehicle.NewCatalog(p)
	const ruleFile = `rules:
- {id: close, type: auto_action, on: [{call: set_ac, when: [{arg: on, is: true}]}], if: [{field: window_driver_position, gt: 20}], owe: [{call: move_window, args: {window: DRIVER, percentage: 0}}]}
- {id: ask, type: confirmation, on: [{call: set_fan, when: [{arg: level, gt: 1}]}], ask: {naming: [level], warn: [rain]}}
- {id: never, type: prohibition, on: [{call: move_sunroof, when: [{arg: percentage, gt: 0}]}], forbid: {}}
- {id: tell, type: disclosure, on: [{call: set_airflow}], tell: [{word: toll}]}
`
	for _, tc := range []struct{ name, turn, want string }{
		{"calls", "draft: [{call: set_ac, args: {on: true}}], want: {fires: [close], calls: []}", "calls: want none, got move_window"},
		{"reads", "draft: [{call: set_ac, args: {on: true}}], want: {fires: [close], reads: []}", "reads: want none, got get_windows"},
		{"fires", "draft: [{call: set_ac, args: {on: true}}], want: {}", "rules that fire: want none, got close"},
		{"silent though it fired", "draft: [{call: set_ac, args: {on: true}}], want: {fires: [close], silent: [close]}", "it fired"},
		{"silent though it never looked", "draft: [{call: set_ac, args: {on: false}}], want: {silent: [never]}", "it did not look"},
		{"held by another rule", "draft: [{call: move_sunroof, args: {percentage: 1}}], want: {fires: [never], held: [{by: close}]}", "held: close is missing"},
		{"asked with another value", "draft: [{call: set_fan, args: {level: 2}}], want: {fires: [ask], asked: [{by: ask, naming: {level: 3}}]}", `asked: ask naming {"level":3} is missing`},
		{"asked with another warning", "draft: [{call: set_fan, args: {level: 2}}], want: {fires: [ask], asked: [{by: ask, warn: [toll]}]}", "warning of rain was not wanted"},
		{"told", "draft: [{call: set_airflow, args: {direction: FEET}}], want: {fires: [tell], told: []}", "told: tell toll was not wanted"},
		{"nothing wrong", "draft: [{call: set_airflow, args: {direction: FEET}}], reply: There is a toll., want: {silent: [tell], told: []}", ""},
		{"a failing call went out", "draft: [{call: set_ac, args: {on: true}}], fails: [move_window], want: {fires: [close], calls: [{call: set_ac, args: {on: true}}]}", "calls: want set_ac"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set, err := rules.Load(fstest.MapFS{
				"b/manifest.yaml":     {Data: []byte("name: b\nrevision: 1\nlanguages: [en]\n")},
				"b/policy.md":         {},
				"b/lexicon/en.yaml":   {Data: []byte("words: {rain: [rain, wet], toll: [toll]}\n")},
				"b/rules/a.yaml":      {Data: []byte(ruleFile)},
				"b/rules/a_test.yaml": {Data: []byte("state: {window_driver_position: 30}\ntests:\n- {name: x, turns: [{" + tc.turn + "}]}\n")},
			}, "b", cat)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if err := rulestest.Run(set, cat, judge.Judge{}).Failures.Err(); err != nil {
				got = err.Error()
			}
			if (tc.want == "") != (got == "") || !strings.Contains(got, tc.want) {
				t.Errorf("got %q, want %q in it", got, tc.want)
			}
		})
	}
}
