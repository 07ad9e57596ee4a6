// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// observed answers Field from a JSON object of signals; null was read and
// told nothing, what is not there was not read.
func observed(cat *vehicle.Catalog, state string) func(vehicle.SignalID, rules.At) rules.Fact {
	v := vehicle.MustJSON(state)
	return func(s vehicle.SignalID, _ rules.At) rules.Fact {
		m, ok := v.Member(cat.Profile.Signals[s].Name)
		switch {
		case !ok:
			return rules.Fact{Why: rules.Unread}
		case !m.Known():
			return rules.Fact{Why: rules.Null}
		}
		return rules.Fact{Value: m, Why: rules.Observed}
	}
}

func call(tool, args string) *vehicle.Call {
	return &vehicle.Call{ID: "c1", Tool: tool, Args: vehicle.MustJSON(args)}
}

func result(tool, args, value string) rulestest.Result {
	return rulestest.Result{Call: *call(tool, args), Value: vehicle.MustJSON(value)}
}

// TestTests evaluates each kind of left side and operator in three values.
func TestTests(t *testing.T) {
	cat := car(t)
	now := time.Date(2026, 3, 14, 10, 30, 0, 0, time.UTC)
	past := func(tool, args string, ago time.Duration, turn bool) rulestest.Past {
		return rulestest.Past{Call: *call(tool, args), At: now.Add(-ago), Turn: turn}
	}
	routes := result("get_routes", `{"to":"x"}`, `{"routes":[
		{"route_id":"r1","start_id":"loc_1","toll":true,"minutes":10,"alias":["fastest","first"]},
		{"route_id":"r2","start_id":"loc_2","toll":false,"minutes":20,"alias":["second"]},
		{"route_id":"r3","start_id":"loc_2","minutes":30,"alias":[]}]}`)
	type env struct {
		call  string // arguments of move_window, or of start_route when it is a list of ids
		state string
		edit  func(*rulestest.Env)
	}
	with := func(f func(*rulestest.Env)) env { return env{edit: f} }
	state := func(s string) env { return env{state: s} }
	args := func(s string) env { return env{call: s} }
	seen := func(rs ...rulestest.Result) env { return with(func(e *rulestest.Env) { e.Results = rs }) }
	T, F, U := rules.True, rules.False, rules.Unknown
	type row struct {
		env  env
		want rules.Truth
	}
	for _, c := range []struct {
		test string
		rows []row
	}{
		// Operators.
		{`{field: fan_speed, is: 2}`, []row{{state(`{"fan_speed":2}`), T}, {state(`{"fan_speed":3}`), F}, {state(`{"fan_speed":null}`), U}, {state(`{}`), U}}},
		{`{field: fan_speed, not: 2}`, []row{{state(`{"fan_speed":2}`), F}, {state(`{"fan_speed":3}`), T}, {state(`{}`), U}}},
		{`{field: airflow, in: [FEET, HEAD]}`, []row{{state(`{"airflow":"HEAD"}`), T}, {state(`{"airflow":"WINDSHIELD"}`), F}, {state(`{"airflow":"unknown"}`), U}}},
		{`{field: airflow, not_in: [FEET, HEAD]}`, []row{{state(`{"airflow":"HEAD"}`), F}, {state(`{"airflow":"WINDSHIELD"}`), T}, {state(`{}`), U}}},
		{`{field: fan_speed, gt: 2}`, []row{{state(`{"fan_speed":3}`), T}, {state(`{"fan_speed":2}`), F}, {state(`{}`), U}}},
		{`{field: fan_speed, ge: 2}`, []row{{state(`{"fan_speed":2}`), T}, {state(`{"fan_speed":1}`), F}, {state(`{}`), U}}},
		{`{field: fan_speed, lt: 2}`, []row{{state(`{"fan_speed":1}`), T}, {state(`{"fan_speed":2}`), F}, {state(`{}`), U}}},
		{`{field: fan_speed, le: 2}`, []row{{state(`{"fan_speed":2}`), T}, {state(`{"fan_speed":3}`), F}, {state(`{}`), U}}},
		{`{field: airflow, has: WINDSHIELD}`, []row{{state(`{"airflow":"WINDSHIELD_FEET"}`), T}, {state(`{"airflow":"FEET"}`), F}, {state(`{}`), U}}},
		{`{field: airflow, lacks: WINDSHIELD}`, []row{{state(`{"airflow":"WINDSHIELD_FEET"}`), F}, {state(`{"airflow":"FEET"}`), T}, {state(`{}`), U}}},
		{`{field: plate, has: ","}`, []row{{state(`{"plate":"A, B"}`), T}, {state(`{"plate":"A B"}`), F}, {state(`{"plate":""}`), F}}},
		{`{field: plate, has: B}`, []row{{state(`{"plate":"A_B"}`), T}, {state(`{"plate":"AB"}`), F}, {state(`{"plate":"A, B"}`), F}}},
		{`{field: airflow, has: WINDSHIELD_FEET}`, []row{{state(`{"airflow":"WINDSHIELD_FEET"}`), T}, {state(`{"airflow":"WINDSHIELD"}`), F}}},
		{`{field: waypoints, has: a}`, []row{{state(`{"waypoints":["b","a"]}`), T}, {state(`{"waypoints":["ab"]}`), F}, {state(`{"waypoints":["b",null]}`), U}, {state(`{}`), U}}},
		{`{field: fan_speed, known: true}`, []row{{state(`{"fan_speed":2}`), T}, {state(`{"fan_speed":null}`), F}, {state(`{}`), F}}},
		{`{field: fan_speed, known: false}`, []row{{state(`{"fan_speed":2}`), F}, {state(`{}`), T}}},
		{`{field: waypoints, each: {is: a}}`, []row{{state(`{"waypoints":["a","a"]}`), T}, {state(`{"waypoints":[]}`), T}, {state(`{"waypoints":["a","b"]}`), F}, {state(`{"waypoints":["a",null]}`), U}, {state(`{"waypoints":["b",null]}`), F}}},
		{`{field: waypoints, some: {is: a}}`, []row{{state(`{"waypoints":["b","a"]}`), T}, {state(`{"waypoints":[]}`), F}, {state(`{"waypoints":["b",null]}`), U}, {state(`{"waypoints":["a",null]}`), T}}},
		{`{field: "window_*_position", some: {gt: 20}}`, []row{
			{state(`{"window_driver_position":0,"window_passenger_position":30,"window_rear_position":0}`), T},
			{state(`{"window_driver_position":0,"window_passenger_position":30}`), T},
			{state(`{"window_driver_position":0,"window_passenger_position":20,"window_rear_position":0}`), F},
			{state(`{"window_driver_position":0,"window_passenger_position":20}`), U}}},
		{`{any: [{field: fan_speed, is: 2}, {field: airflow, is: FEET}]}`, []row{
			{state(`{"fan_speed":2}`), T}, {state(`{"fan_speed":1}`), U}, {state(`{"fan_speed":1,"airflow":"HEAD"}`), F}, {state(`{"airflow":"FEET"}`), T}}},
		// Truths and numbers as others spell them.
		{`{field: air_conditioning, is: on}`, []row{{state(`{"air_conditioning":true}`), T}, {state(`{"air_conditioning":"OFF"}`), F}, {state(`{"air_conditioning":"on"}`), T}}},
		{`{field: fan_speed, gt: 2}`, []row{{state(`{"fan_speed":"3"}`), T}, {state(`{"fan_speed":"fast"}`), U}}},
		{`{field: range, gt: 15000, unit: m}`, []row{{state(`{"range":15.5}`), T}, {state(`{"range":"15.0km"}`), F}, {state(`{"range":"15.1 km"}`), T}, {state(`{"range":"15100m"}`), T}}},
		{`{field: temperature_driver, ge: 68, unit: Fahrenheit}`, []row{{state(`{"temperature_driver":20}`), T}, {state(`{"temperature_driver":19.5}`), F}}},
		{`{field: window_driver_position, is: "30%"}`, []row{{state(`{"window_driver_position":30}`), T}, {state(`{"window_driver_position":"30 %"}`), T}, {state(`{"window_driver_position":31}`), F}}},
		// arg.
		{`{arg: percentage, gt: 20}`, []row{{args(`{"window":"ALL","percentage":30}`), T}, {args(`{"window":"ALL","percentage":20}`), F}, {args(`{"window":"ALL"}`), U}}},
		{`{arg: window, is: REAR}`, []row{{args(`{"window":"REAR"}`), T}, {args(`{"window":"ALL"}`), F}}},
		// field against another left side.
		{`{field: window_driver_position, lt: {arg: percentage}}`, []row{
			{env{call: `{"window":"DRIVER","percentage":50}`, state: `{"window_driver_position":30}`}, T},
			{env{call: `{"window":"DRIVER","percentage":10}`, state: `{"window_driver_position":30}`}, F},
			{env{call: `{"window":"DRIVER"}`, state: `{"window_driver_position":30}`}, U},
			{env{call: `{"window":"DRIVER","percentage":50}`}, U}}},
		// result.
		{`{result: current.condition, of: get_weather, with: {place: {context: here.id}, hour: 9}, is: rain}`, []row{
			{seen(result("get_weather", `{"hour":9,"place":"loc_1"}`, `{"current":{"condition":"rain"}}`)), T},
			{seen(result("get_weather", `{"hour":9,"place":"loc_1"}`, `{"current":{"condition":"sunny"}}`)), F},
			{seen(result("get_weather", `{"hour":8,"place":"loc_1"}`, `{"current":{"condition":"rain"}}`)), U},
			{seen(result("get_weather", `{"hour":9,"place":"loc_1"}`, `{"current":null}`)), U},
			{seen(), U}}},
		{`{result: current.condition, of: get_weather, is: rain}`, []row{
			{seen(result("get_weather", `{"hour":9,"place":"a"}`, `{"current":{"condition":"sunny"}}`), result("get_weather", `{"hour":9,"place":"b"}`, `{"current":{"condition":"rain"}}`)), T},
			{seen(), U}}},
		{`{result: current.wind, of: get_weather, gt: 50, unit: km/h}`, []row{
			{seen(result("get_weather", `{"hour":9,"place":"a"}`, `{"current":{"wind":"15 m/s"}}`)), T},
			{seen(result("get_weather", `{"hour":9,"place":"a"}`, `{"current":{"wind":"13 m/s"}}`)), F}}},
		// A [*] is judged for each element; the rule matches when one does.
		{`{result: "routes[*].toll", of: get_routes, is: true}`, []row{{seen(routes), T}, {seen(result("get_routes", `{"to":"x"}`, `{"routes":[]}`)), F}, {seen(), U}}},
		{`{result: "routes[*].toll", of: get_routes, each: {is: true}}`, []row{{seen(routes), F}, {seen(), U}}},
		{`{result: "routes[*].alias", of: get_routes, has: fastest}`, []row{{seen(routes), T}}},
		// context.
		{`{context: now.hour, ge: 10}`, []row{{env{}, T}, {with(func(e *rulestest.Env) { e.Around = nil }), U}}},
		{`{context: here.id, is: loc_2}`, []row{{env{}, F}}},
		// called.
		{`{called: set_fan}`, []row{
			{env{}, F},
			{with(func(e *rulestest.Env) { e.Past = []rulestest.Past{past("set_fan", `{"level":1}`, time.Hour, false)} }), T}}},
		{`{called: "@climate", since: turn}`, []row{
			{with(func(e *rulestest.Env) { e.Past = []rulestest.Past{past("set_fan", `{"level":1}`, time.Hour, false)} }), F},
			{with(func(e *rulestest.Env) { e.Past = []rulestest.Past{past("set_ac", `{"on":true}`, time.Minute, true)} }), T}}},
		{`{called: set_fan, when: [{arg: level, gt: 2}], within: 5m}`, []row{
			{with(func(e *rulestest.Env) { e.Past = []rulestest.Past{past("set_fan", `{"level":3}`, time.Hour, false)} }), F},
			{with(func(e *rulestest.Env) { e.Past = []rulestest.Past{past("set_fan", `{"level":2}`, time.Minute, false)} }), F},
			{with(func(e *rulestest.Env) { e.Past = []rulestest.Past{past("set_fan", `{}`, time.Minute, false)} }), U},
			{with(func(e *rulestest.Env) { e.Past = []rulestest.Past{past("set_fan", `{"level":3}`, time.Minute, false)} }), T}}},
		{`{called: set_fan, since: {call: set_ac}}`, []row{
			{with(func(e *rulestest.Env) {
				e.Past = []rulestest.Past{past("set_fan", `{"level":1}`, 3*time.Minute, false), past("set_ac", `{"on":true}`, time.Minute, false)}
			}), F},
			{with(func(e *rulestest.Env) {
				e.Past = []rulestest.Past{past("set_ac", `{"on":true}`, 3*time.Minute, false), past("set_fan", `{"level":1}`, time.Minute, false)}
			}), T}}},
		{`{called: set_fan, ge: 2}`, []row{
			{with(func(e *rulestest.Env) { e.Past = []rulestest.Past{past("set_fan", `{"level":1}`, 0, true)} }), F},
			{with(func(e *rulestest.Env) {
				e.Past = []rulestest.Past{past("set_fan", `{"level":1}`, 0, true), past("set_fan", `{"level":2}`, 0, true)}
			}), T}}},
		// consented.
		{`{consented: trigger, is: false}`, []row{
			{args(`{"window":"ALL","percentage":3}`), T},
			{with(func(e *rulestest.Env) { e.Yes = []vehicle.Call{*e.Call} }), F}}},
		{`{consented: {call: set_fan, args: {level: {arg: percentage}}}}`, []row{
			{env{call: `{"window":"ALL","percentage":3}`, edit: func(e *rulestest.Env) { e.Yes = []vehicle.Call{*call("set_fan", `{"level":3}`)} }}, T},
			{env{call: `{"window":"ALL","percentage":4}`, edit: func(e *rulestest.Env) { e.Yes = []vehicle.Call{*call("set_fan", `{"level":3}`)} }}, F},
			{args(`{"window":"ALL"}`), U}}},
		// batch.
		{`{batch: "@climate", ge: 2}`, []row{
			{with(func(e *rulestest.Env) {
				e.Draft = []*vehicle.Call{call("set_fan", `{}`), call("set_ac", `{}`), e.Call}
			}), T},
			{with(func(e *rulestest.Env) { e.Draft = []*vehicle.Call{call("set_fan", `{}`), e.Call} }), F}}},
		// told and wants.
		{`{told: {word: toll}}`, []row{{with(func(e *rulestest.Env) { e.Said = []string{"It is a Toll road."} }), T}, {with(func(e *rulestest.Env) { e.Said = []string{"tolls"} }), F}}},
		{`{told: {field: fan_speed}}`, []row{
			{env{state: `{"fan_speed":3}`, edit: func(e *rulestest.Env) { e.Text = "The fan is at 3 now." }}, T},
			{env{state: `{"fan_speed":3}`, edit: func(e *rulestest.Env) { e.Text = "The fan is at 30 now." }}, F},
			{env{}, U}}},
		{`{wants: rain}`, []row{{with(func(e *rulestest.Env) { e.Wanted = []string{"Regen"} }), T}, {env{}, F}}},
		// offered.
		{`{offered: set_airflow.direction.WINDSHIELD}`, []row{{env{}, T}}},
		{`{offered: set_fan}`, []row{{with(func(e *rulestest.Env) { e.Cat = vehicle.NewCatalog(cat.Profile, cat.Tool("set_ac")) }), F}}},
		// count and diff.
		{`{count: {field: waypoints}, ge: 2}`, []row{{state(`{"waypoints":["a","b"]}`), T}, {state(`{"waypoints":["a"]}`), F}, {state(`{}`), U}}},
		{`{count: {field: "window_*_position"}, where: [{field: "window_*_position", gt: 20}], is: 2}`, []row{
			{state(`{"window_driver_position":30,"window_passenger_position":30,"window_rear_position":0}`), T},
			{state(`{"window_driver_position":30,"window_passenger_position":0,"window_rear_position":0}`), F},
			{state(`{"window_driver_position":30,"window_passenger_position":30}`), U}}},
		{`{count: {result: "routes[*]", of: get_routes}, where: [{result: "routes[*].minutes", of: get_routes, gt: 10}], is: 2}`, []row{{seen(routes), T}, {seen(), U}}},
		{`{count: {result: "routes[*]", of: get_routes}, where: [{result: "routes[*].toll", of: get_routes, is: true}], is: 1}`, []row{{seen(routes), U}}},
		{`{count: {result: routes, of: get_routes}, where: [{candidate: alias, has: fastest}], is: 1}`, []row{{seen(routes), T}}},
		{`{diff: [{field: temperature_driver}, {field: temperature_passenger}], gt: 3}`, []row{
			{state(`{"temperature_driver":20,"temperature_passenger":23.5}`), T},
			{state(`{"temperature_driver":23,"temperature_passenger":20}`), F},
			{state(`{"temperature_driver":23}`), U}}},
		{`{diff: [{field: temperature_driver}, {field: temperature_passenger}], gt: 5.4, unit: Fahrenheit}`, []row{
			{state(`{"temperature_driver":20,"temperature_passenger":23}`), F},
			{state(`{"temperature_driver":20,"temperature_passenger":23.5}`), T}}},
	} {
		t.Run(c.test, func(t *testing.T) {
			set := load(t, cat, "- {id: r, type: prohibition, on: [{call: move_window}], forbid: {}, if: ["+c.test+"]}\n")
			for i, row := range c.rows {
				e := &rulestest.Env{Cat: cat, Clock: now, Call: call("move_window", `{"window":"DRIVER","percentage":50}`),
					Around: map[string]vehicle.Value{"here.id": vehicle.TextOf("loc_1"), "now.hour": vehicle.NumberOf(10)}}
				if row.env.call != "" {
					e.Call = call("move_window", row.env.call)
				}
				if row.env.state != "" {
					e.Fields = observed(cat, row.env.state)
				}
				if row.env.edit != nil {
					row.env.edit(e)
				}
				got := F
				var ms []rules.Match
				for _, m := range set.Rule("r").Matches(e) {
					got = got.Or(m.Truth)
					ms = append(ms, m)
				}
				if got != row.want {
					t.Errorf("row %d: got %v, want %v; %+v", i, got, row.want, ms)
				}
				if got == U && len(ms[0].Wants) == 0 && c.test[:6] != "{count" {
					t.Errorf("row %d: unknown, and nothing says what would settle it", i)
				}
			}
		})
	}
}
