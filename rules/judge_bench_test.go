// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

const benchRules = `
- {id: "011a", type: auto_action, on: [{call: set_ac, when: [{arg: on, is: true}]}],
   if: [{field: "window_*_position", gt: 20, unit: percent}], owe: [{call: move_window, args: {window: "{item}", percentage: 0}}]}
- {id: "008", type: confirmation, on: [{call: move_sunroof, when: [{arg: percentage, gt: 0}]}],
   if: [{result: current.condition, of: get_weather, with: {place: {context: here.id}, hour: {context: now.hour}}, not_in: [sunny, cloudy]}],
   ask: {naming: [percentage], warn: [rain]}}
- {id: "017", type: prohibition, on: [{call: set_fan}], if: [{called: set_ac, since: session}], forbid: {}}
- {id: "018", type: constraint, on: [{call: set_fan}], at_most: 1}
`

// judge evaluates a rule the way the harness does.
func judge(r *rules.Rule, env rules.Env) int {
	truth, _, _ := r.Triggered(env)
	if truth == rules.False {
		return 0
	}
	n := 0
	for _, m := range r.Matches(env) {
		calls, _ := r.Owed(env, &m)
		n += len(calls)
	}
	return n
}

func BenchmarkJudge(b *testing.B) {
	cat := car(b)
	set := load(b, cat, benchRules)
	state := vehicle.NewState(len(cat.Profile.Signals))
	windows := cat.Profile.Match("window_*_position")
	env := &rulestest.Env{Cat: cat, Around: map[string]vehicle.Value{"here.id": vehicle.TextOf("loc_1"), "now.hour": vehicle.NumberOf(9)},
		Fields: func(s vehicle.SignalID, _ rules.At) rules.Fact {
			return rules.Fact{Value: state[s], Why: rules.Observed}
		},
		Results: []rulestest.Result{{Call: vehicle.Call{Tool: "get_weather", Args: vehicle.MustJSON(`{"place":"loc_1","hour":9}`)},
			Value: vehicle.MustJSON(`{"current":{"condition":"sunny"}}`)}}}
	on := &vehicle.Call{ID: "c1", Tool: "set_ac", Args: vehicle.MustJSON(`{"on":true}`)}
	off := &vehicle.Call{ID: "c1", Tool: "set_ac", Args: vehicle.MustJSON(`{"on":false}`)}
	roof := &vehicle.Call{ID: "c1", Tool: "move_sunroof", Args: vehicle.MustJSON(`{"percentage":50}`)}
	fan := &vehicle.Call{ID: "c1", Tool: "set_fan", Args: vehicle.MustJSON(`{"level":1}`)}
	env.Draft = []*vehicle.Call{fan}

	for _, c := range []struct {
		name string
		rule string
		call *vehicle.Call
		open float64
	}{
		{"trigger-differs", "011a", off, 0},
		{"conditions-false", "011a", on, 10},
		{"matches-three-items", "011a", on, 50},
		{"result-false", "008", roof, 0},
		{"called-never", "017", fan, 0},
		{"at-most", "018", fan, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			for _, w := range windows {
				state[w.Signal] = vehicle.NumberOf(c.open)
			}
			r := set.Rule(c.rule)
			env.Call = c.call
			b.ReportAllocs()
			for b.Loop() {
				judge(r, env)
			}
		})
	}
}

// BenchmarkDraft judges a draft of four calls by the rules of the car, all
// state known: what a turn costs when nothing is wrong, and when something is.
func BenchmarkDraft(b *testing.B) {
	set, cat := loadBundle(b, "in-car")
	around := map[string]vehicle.Value{"here.id": vehicle.TextOf("loc_1"), "now.month": vehicle.NumberOf(3), "now.day": vehicle.NumberOf(14), "now.hour": vehicle.NumberOf(9)}
	weather := rulestest.Result{Call: vehicle.Call{Tool: "get_weather", Args: vehicle.MustJSON(`{"location_or_poi_id":"loc_1","month":3,"day":14,"time_hour_24hformat":9}`)},
		Value: vehicle.MustJSON(`{"current_slot":{"condition":"sunny"}}`)}
	for _, c := range []struct {
		name        string
		window, fan float64
	}{{"clean", 0, 2}, {"four-windows-open", 100, 0}} {
		b.Run(c.name, func(b *testing.B) {
			facts := make([]rules.Fact, len(cat.Profile.Signals))
			set1 := func(name string, v vehicle.Value) {
				for _, m := range cat.Profile.Match(name) {
					facts[m.Signal] = rules.Fact{Value: v, Why: rules.Observed}
				}
			}
			set1("window_*_position", vehicle.NumberOf(c.window))
			set1("fan_speed", vehicle.NumberOf(c.fan))
			set1("sunshade_position", vehicle.NumberOf(100))
			set1("air_conditioning", vehicle.BoolOf(true))
			set1("fan_airflow_direction", vehicle.TextOf("WINDSHIELD"))
			env := &rulestest.Env{Cat: cat, Around: around, Results: []rulestest.Result{weather},
				Fields: func(s vehicle.SignalID, _ rules.At) rules.Fact { return facts[s] }}
			env.Draft = []*vehicle.Call{
				{ID: "c1", Tool: "open_close_sunroof", Args: vehicle.MustJSON(`{"percentage":50}`)},
				{ID: "c2", Tool: "set_window_defrost", Args: vehicle.MustJSON(`{"on":true,"defrost_window":"FRONT"}`)},
				{ID: "c3", Tool: "set_air_conditioning", Args: vehicle.MustJSON(`{"on":true}`)},
				{ID: "c4", Tool: "set_seat_heating", Args: vehicle.MustJSON(`{"level":2,"seat_zone":"DRIVER"}`)},
			}
			b.ReportAllocs()
			for b.Loop() {
				for _, call := range env.Draft {
					env.Call = call
					for _, r := range set.On(call.Tool) {
						judge(r, env)
					}
				}
			}
		})
	}
}

// BenchmarkLoad reads, checks and resolves the bundle of the car, its tests
// included.
func BenchmarkLoad(b *testing.B) {
	_, cat := loadBundle(b, "in-car")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rules.Load(testdata.FS, testdata.InCarBundle, cat); err != nil {
			b.Fatal(err)
		}
	}
}
