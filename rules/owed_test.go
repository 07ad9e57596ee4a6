// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// owed judges the rule and writes down what it owes, match by match.
func owed(t *testing.T, r *rules.Rule, e *rulestest.Env) []string {
	t.Helper()
	var out []string
	for _, m := range r.Matches(e) {
		calls, err := r.Owed(e, &m)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range calls {
			out = append(out, c.Call.Canonical())
		}
	}
	return out
}

func TestOwed(t *testing.T) {
	cat := car(t)
	for _, c := range []struct {
		name, rule, state string
		call              *vehicle.Call
		want              []string
	}{
		{"an item becomes the argument's first spelling", `{on: [{call: set_ac}], if: [{field: "window_*_position", gt: 20}], owe: [{call: move_window, args: {window: "{item}", percentage: 0}}]}`,
			`{"window_driver_position":25,"window_passenger_position":20,"window_rear_position":90}`, call("set_ac", `{"on":true}`),
			[]string{`move_window{"percentage":0,"window":"DRIVER"}`, `move_window{"percentage":0,"window":"REAR"}`}},
		{"an argument may be read from the state", `{on: [{call: set_temperature, when: [{arg: zone, is: DRIVER}]}], owe: [{call: set_fan, args: {level: {field: fan_speed}}}]}`,
			`{"fan_speed":4}`, call("set_temperature", `{"zone":"DRIVER","temperature":20}`), []string{`set_fan{"level":4}`}},
		{"equal prefixes are one element", `{on: [{call: set_ac}], if: [{field: "window_*_position", gt: 20}, {field: "window_*_locked", is: false}], owe: [{call: move_window, args: {window: "{item}", percentage: 0}}]}`,
			`{"window_driver_position":25,"window_passenger_position":90,"window_driver_locked":true,"window_passenger_locked":false}`, call("set_ac", `{"on":true}`),
			[]string{`move_window{"percentage":0,"window":"PASSENGER"}`}},
		{"the trigger names the item", `{on: [{call: set_temperature}], if: [{field: "temperature_{item}", lt: 20}], owe: [{call: move_window, args: {window: "{item}", percentage: 0}}]}`,
			`{"temperature_driver":18,"temperature_passenger":18}`, call("set_temperature", `{"zone":"PASSENGER","temperature":22}`),
			[]string{`move_window{"percentage":0,"window":"PASSENGER"}`}},
		{"the trigger names all items", `{on: [{call: set_temperature}], if: [{field: "temperature_{item}", lt: 20}], owe: [{call: move_window, args: {window: "{item}", percentage: 0}}]}`,
			`{"temperature_driver":18,"temperature_passenger":19}`, call("set_temperature", `{"zone":"ALL","temperature":22}`),
			[]string{`move_window{"percentage":0,"window":"DRIVER"}`, `move_window{"percentage":0,"window":"PASSENGER"}`}},
		{"unless", `{on: [{call: set_ac}], if: [{field: fan_speed, is: 0}], unless: [{arg: on, is: false}, {field: airflow, is: FEET}], owe: [{call: set_fan, args: {level: 1}}]}`,
			`{"fan_speed":0,"airflow":"FEET"}`, call("set_ac", `{"on":true}`), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := load(t, cat, "- {id: r, type: auto_action, "+strings.TrimPrefix(c.rule, "{")+"\n")
			e := &rulestest.Env{Cat: cat, Call: c.call, Fields: observed(cat, c.state)}
			if d := cmp.Diff(c.want, owed(t, set.Rule("r"), e)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestOwedCannotBeWritten(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `
- {id: state, type: auto_action, on: [{call: set_ac}], owe: [{call: set_fan, args: {level: {field: fan_speed}}}]}
- {id: enum, type: auto_action, on: [{call: set_ac}], owe: [{call: set_airflow, args: {direction: WINDSHIELD}}]}
`)
	less := func(names ...string) *vehicle.Catalog {
		var l []*vehicle.Tool
		for _, n := range names {
			l = append(l, cat.Tool(n))
		}
		return vehicle.NewCatalog(cat.Profile, l...)
	}
	feet := *cat.Tool("set_airflow")
	s, err := vehicle.ParseSchema(vehicle.MustJSON(`{"type":"object","properties":{"direction":{"enum":["FEET"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	feet.Input = s
	for _, c := range []struct {
		name, rule string
		cat        *vehicle.Catalog
		want       error
	}{
		{"a value nobody knows", "state", cat, rules.ErrUnknownArgument},
		{"no tool", "state", less("set_ac"), rules.ErrNotOffered},
		{"no such member", "enum", vehicle.NewCatalog(cat.Profile, cat.Tool("set_ac"), &feet), rules.ErrNotOffered},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &rulestest.Env{Cat: c.cat, Call: call("set_ac", `{"on":true}`)}
			m := set.Rule(c.rule).Matches(e)
			if _, err := set.Rule(c.rule).Owed(e, &m[0]); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}
