// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

func TestNeeds(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `
- {id: need, type: precondition, on: [{call: move_sunroof}], need: [{field: sunshade_position, is: 100}], owe: [{call: move_sunshade, args: {percentage: 100}}]}
- {id: ref, type: constraint, on: [{call: start_route}], must: [{ref: "route_ids[0]", get: start_id, is: {context: here.id}}]}
- {id: each, type: constraint, on: [{call: start_route}], must: [{ref: "route_ids[*]", get: toll, is: false}]}
- {id: most, type: constraint, on: [{call: "@climate"}], at_most: 1}
- {id: other, type: prohibition, on: [{call: set_ac}], forbid: {}}
`)
	routes := []rulestest.Result{result("get_routes", `{"to":"x"}`, `{"routes":[{"route_id":"r1","start_id":"loc_1","toll":true},{"route_id":"r2","start_id":"loc_2","toll":false}]}`)}
	ac, fan := call("set_ac", `{"on":true}`), call("set_fan", `{"level":1}`)
	fan.ID = "c2"
	T, F, U := rules.True, rules.False, rules.Unknown
	for _, c := range []struct {
		name, rule, state string
		call              *vehicle.Call
		draft             []*vehicle.Call
		want              []rules.Truth // match by match
	}{
		{"met", "need", `{"sunshade_position":100}`, call("move_sunroof", `{"percentage":1}`), nil, []rules.Truth{T}},
		{"not met", "need", `{"sunshade_position":99}`, call("move_sunroof", `{"percentage":1}`), nil, []rules.Truth{F}},
		{"not known", "need", `{}`, call("move_sunroof", `{"percentage":1}`), nil, []rules.Truth{U}},
		{"from here", "ref", `{}`, call("start_route", `{"route_ids":["r1","r2"]}`), nil, []rules.Truth{T}},
		{"from elsewhere", "ref", `{}`, call("start_route", `{"route_ids":["r2"]}`), nil, []rules.Truth{F}},
		{"never seen", "ref", `{}`, call("start_route", `{"route_ids":["r9"]}`), nil, []rules.Truth{U}},
		{"no route", "ref", `{}`, call("start_route", `{"route_ids":[]}`), nil, []rules.Truth{U}},
		{"route by route", "each", `{}`, call("start_route", `{"route_ids":["r2","r1","r9"]}`), nil, []rules.Truth{T, F, U}},
		{"the first of two", "most", `{}`, ac, []*vehicle.Call{ac, fan}, []rules.Truth{T}},
		{"the second of two", "most", `{}`, fan, []*vehicle.Call{ac, fan}, []rules.Truth{F}},
		{"a copy of the second", "most", `{}`, &vehicle.Call{ID: "c9", Tool: "set_fan", Args: fan.Args}, []*vehicle.Call{ac, {ID: "c9", Tool: "set_fan", Args: fan.Args}}, []rules.Truth{F}},
		{"not in the draft", "most", `{}`, &vehicle.Call{ID: "c8", Tool: "set_fan", Args: fan.Args}, []*vehicle.Call{ac}, []rules.Truth{F}},
		{"the only one", "most", `{}`, &vehicle.Call{ID: "c8", Tool: "set_fan", Args: fan.Args}, nil, []rules.Truth{T}},
		{"others do not count", "most", `{}`, fan, []*vehicle.Call{call("move_sunroof", `{}`), fan}, []rules.Truth{T}},
		{"nothing to need", "other", `{}`, ac, nil, []rules.Truth{T}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &rulestest.Env{Cat: cat, Call: c.call, Draft: c.draft, Fields: observed(cat, c.state), Results: routes,
				Around: map[string]vehicle.Value{"here.id": vehicle.TextOf("loc_1")}}
			var got []rules.Truth
			for _, m := range set.Rule(c.rule).Matches(e) {
				truth, ev, wants := set.Rule(c.rule).Needs(e, &m)
				got = append(got, truth)
				if truth == F && len(ev) == 0 || truth == U && len(wants) == 0 {
					t.Errorf("%v without evidence or wants", truth)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestChooses(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `- {id: r, type: selection, on: [{call: start_route}], choose: {arg: "route_ids[*]", peers: [start_id], where: [{candidate: alias, has: fastest}]}}`+"\n")
	e := &rulestest.Env{Cat: cat, Results: []rulestest.Result{result("get_routes", `{"to":"x"}`, `{"routes":[
		{"route_id":"r1","start_id":"a","alias":["fastest"]},{"route_id":"r2","start_id":"a","alias":["second"]},
		{"route_id":"r3","start_id":"b","alias":["second"]},{"route_id":"r4","start_id":"c"},{"route_id":"r5","start_id":"c","alias":["first"]}]}`)}}
	for id, want := range map[string]struct {
		truth  rules.Truth
		better []string
	}{
		"r1": {rules.True, nil}, "r2": {rules.False, []string{"r1"}}, "r3": {rules.True, nil},
		"r4": {rules.Unknown, nil}, "r5": {rules.Unknown, nil}, "r9": {rules.Unknown, nil},
	} {
		e.Call = call("start_route", `{"route_ids":["`+id+`"]}`)
		m := set.Rule("r").Matches(e)
		got, choice, wants := set.Rule("r").Chooses(e, &m[0])
		if got != want.truth || choice.Chosen != id || !cmp.Equal(choice.Better, want.better) && got == rules.False || got == rules.Unknown && len(wants) == 0 {
			t.Errorf("%s: got %v %+v, want %+v", id, got, choice, want)
		}
	}
}
