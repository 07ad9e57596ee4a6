// SPDX-License-Identifier: Apache-2.0

package rulestest_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

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
	for _, c := range []struct{ name, rules, tests string }{
		{"commit", `
- {id: r, type: disclosure, on: [{call: set_fan}], tell: [{word: rain}], by: commit}
`, `
tests:
- name: said too late
  turns:
  - {draft: [{call: set_fan, args: {level: 1}}], reply: It is wet., want: {fires: [r], held: [{by: r}], calls: []}}
  - {draft: [{call: set_fan, args: {level: 1}}], want: {silent: [r], calls: [{call: set_fan, args: {level: 1}}]}}
`},
		{"owed on a result", `
- {id: r, type: auto_action, on: [{result: get_weather}], if: [{result: current.condition, is: rain}, {field: sunroof_position, gt: 0}], owe: [{call: move_sunroof, args: {percentage: 0}}]}
`, `
state: {sunroof_position: 50}
answers:
- {call: get_weather, args: {place: a, hour: 1}, result: {current: {condition: rain}}}
- {call: get_weather, args: {place: a, hour: 2}, result: {current: {condition: sunny}}}
tests:
- name: rain
  turns: [{draft: [{call: get_weather, args: {place: a, hour: 1}}], want: {fires: [r], calls: [{call: move_sunroof, args: {percentage: 0}}]}}]
- name: sun
  turns: [{draft: [{call: get_weather, args: {place: a, hour: 2}}], want: {silent: [r], calls: []}}]
`},
		{"owed on a reply", `
- {id: r, type: auto_action, on: [{reply: question}], if: [{field: fan_speed, gt: 3}], owe: [{call: set_fan, args: {level: 1}}]}
`, `
state: {fan_speed: 5}
tests:
- name: a question is asked in silence
  turns:
  - {reply: Shall I?, reply_is: [question], want: {fires: [r], calls: [{call: set_fan, args: {level: 1}}]}}
  - {reply: Shall I?, reply_is: [question], want: {silent: [r], calls: []}}
`},
		{"a request against a rule", `
- {id: r, type: auto_action, on: [{call: set_ac, when: [{arg: on, is: true}]}], if: [{field: "window_*_position", gt: 20}], owe: [{call: move_window, args: {window: "{item}", percentage: 0}}]}
`, `
state: {window_driver_position: 0, window_passenger_position: 0, window_rear_position: 0}
tests:
- name: the window opens before, and is closed again
  turns: [{draft: [{call: move_window, args: {window: ALL, percentage: 50}}, {call: set_ac, args: {on: true}}], want: {fires: [r]}}]
- name: the window opens after, both are held
  turns: [{draft: [{call: set_ac, args: {on: true}}, {call: move_window, args: {window: ALL, percentage: 50}}], want: {fires: [r], held: [{call: set_ac}, {call: move_window}], calls: []}}]
- name: nothing open
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {silent: [r]}}]
`},
		{"a remedy that does not help", `
- {id: r, type: auto_action, on: [{call: set_ac}], if: [{field: fan_speed, lt: 3}], owe: [{call: set_fan, args: {level: 2}}]}
`, `
state: {fan_speed: 0}
tests:
- name: it is held, not demanded for ever
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {fires: [r], held: [{by: r, call: set_ac}], calls: []}}]
- name: fast enough
  state: {fan_speed: 3}
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {silent: [r]}}]
`},
		{"two rules on one signal", `
- {id: one, type: auto_action, on: [{call: set_ac}], if: [{field: fan_speed, lt: 1}], owe: [{call: set_fan, args: {level: 1}}]}
- {id: three, type: auto_action, on: [{call: set_ac}], if: [{field: fan_speed, lt: 3}], owe: [{call: set_fan, args: {level: 3}}]}
`, `
state: {fan_speed: 0}
tests:
- name: the one call that satisfies both
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {fires: [one, three], calls: [{call: set_fan, args: {level: 3}}, {call: set_ac, args: {on: true}}]}}]
- name: fast enough
  state: {fan_speed: 3}
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {silent: [one, three]}}]
`},
		{"the remedy is forbidden", `
- {id: owe, type: auto_action, on: [{call: set_ac}], if: [{field: fan_speed, lt: 1}], owe: [{call: set_fan, args: {level: 1}}]}
- {id: no, type: prohibition, on: [{call: set_fan}], if: [{field: airflow, is: FEET}], forbid: {}}
`, `
state: {fan_speed: 0, airflow: FEET}
tests:
- name: the trigger is held
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {fires: [owe, no], held: [{by: no, call: set_fan}, {by: owe, call: set_ac}], calls: []}}]
- name: the remedy is allowed
  state: {airflow: HEAD}
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {fires: [owe], silent: [no], calls: [{call: set_fan, args: {level: 1}}, {call: set_ac, args: {on: true}}]}}]
- name: nothing owed
  state: {fan_speed: 2}
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {silent: [owe]}}]
`},
		{"classes of the unknown and the absent", `
- {id: ask, type: prohibition, on: [{call: set_ac}], if: [{field: fan_speed, is: 0}], forbid: {}}
- {id: refuse, type: prohibition, on: [{call: set_fan}], if: [{field: fan_speed, is: 0}], forbid: {}, unknown: refuse}
- {id: allow, type: prohibition, on: [{call: move_sunroof}], if: [{field: fan_speed, is: 0}], forbid: {}, unknown: allow, absent: allow}
`, `
state: {fan_speed: unknown}
tests:
- name: ask
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {fires: [ask], asked: [{by: ask}], calls: []}}]
- name: refuse
  turns: [{draft: [{call: set_fan, args: {level: 1}}], want: {fires: [refuse], held: [{by: refuse}], calls: []}}]
- name: allow
  turns: [{draft: [{call: move_sunroof, args: {percentage: 1}}], want: {silent: [allow], calls: [{call: move_sunroof, args: {percentage: 1}}]}}]
- name: no read is offered
  without: [get_climate]
  turns:
  - {draft: [{call: set_ac, args: {on: true}}], want: {fires: [ask], held: [{by: ask}], calls: []}}
  - {draft: [{call: move_sunroof, args: {percentage: 1}}], want: {silent: [allow], calls: [{call: move_sunroof, args: {percentage: 1}}]}}
- name: known
  state: {fan_speed: 0}
  turns:
  - {draft: [{call: set_ac, args: {on: true}}, {call: set_fan, args: {level: 1}}, {call: move_sunroof, args: {percentage: 1}}], want: {fires: [ask, refuse, allow]}}
- name: nothing to forbid
  state: {fan_speed: 1}
  turns:
  - {draft: [{call: set_ac, args: {on: true}}, {call: set_fan, args: {level: 2}}], want: {silent: [ask, refuse]}}
`},
		{"an argument is not offered", `
- {id: r, type: auto_action, on: [{call: set_ac}], if: [{field: temperature_driver, lt: 20}], owe: [{call: set_temperature, args: {zone: DRIVER, temperature: 20}}]}
`, `
state: {temperature_driver: 18}
tests:
- name: no zones in this car
  without: [set_temperature.zone]
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {fires: [r], held: [{by: r}], calls: []}}]
- name: warm
  state: {temperature_driver: 20}
  turns: [{draft: [{call: set_ac, args: {on: true}}], want: {silent: [r]}}]
`},
		{"preferences and asks", `
- {id: r, type: confirmation, on: [{call: move_sunroof}], unless: [{wants: rain}], ask: {naming: all}}
`, `
tests:
- {name: nobody wants it, turns: [{draft: [{call: move_sunroof, args: {percentage: 1}}], want: {fires: [r], calls: []}}]}
- {name: asked for, turns: [{user: into the wet, wants: [rain], draft: [{call: move_sunroof, args: {percentage: 1}}], want: {silent: [r]}}]}
- {name: always wanted, prefers: [rain], turns: [{draft: [{call: move_sunroof, args: {percentage: 1}}], want: {silent: [r]}}]}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, cat := load(t, c.rules, c.tests)
			if err := rulestest.Run(set, cat, rulestest.Plain{}).Err(); err != nil {
				t.Error(err)
			}
		})
	}
}
