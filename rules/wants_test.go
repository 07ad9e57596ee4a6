// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

func TestWants(t *testing.T) {
	cat := car(t)
	signal := func(n string) vehicle.SignalID { return cat.Profile.Signal(n).ID }
	no := vehicle.NoSignal
	read := func(tool, args string) *vehicle.Call {
		c := &vehicle.Call{Tool: tool, Origin: vehicle.ByRead}
		if args != "" {
			c.Args = vehicle.MustJSON(args)
		}
		return c
	}
	for _, c := range []struct {
		name, test, state string
		results           []rulestest.Result
		cat               *vehicle.Catalog
		want              []rules.Want
	}{
		{"a signal nobody read", `{field: fan_speed, is: 1}`, `{}`, nil, cat, []rules.Want{{Signal: signal("fan_speed")}}},
		{"a signal that told nothing", `{field: fan_speed, is: 1}`, `{"fan_speed":null}`, nil, cat, []rules.Want{{Signal: signal("fan_speed"), Impossible: true, Why: rules.Null}}},
		{"one signal of several", `{field: "window_*_position", some: {gt: 20}}`, `{"window_driver_position":0,"window_rear_position":0}`, nil, cat, []rules.Want{{Signal: signal("window_passenger_position")}}},
		{"both sides", `{field: sunroof_position, is: {field: sunshade_position}}`, `{}`, nil, cat, []rules.Want{{Signal: signal("sunroof_position")}, {Signal: signal("sunshade_position")}}},
		{"an exact read", `{result: current.condition, of: get_weather, with: {place: a, hour: {field: fan_speed}}, is: rain}`, `{"fan_speed":3}`, nil, cat,
			[]rules.Want{{Signal: no, Call: read("get_weather", `{"place":"a","hour":3}`)}}},
		{"first what the read needs", `{result: current.condition, of: get_weather, with: {place: a, hour: {field: fan_speed}}, is: rain}`, `{}`, nil, cat, []rules.Want{{Signal: signal("fan_speed")}}},
		{"a read without arguments", `{result: fan_speed, of: get_climate, is: 1}`, `{}`, nil, cat, []rules.Want{{Signal: no, Call: read("get_climate", `{}`)}}},
		{"a read that needs some", `{result: current.condition, of: get_weather, is: rain}`, `{}`, nil, cat, []rules.Want{{Signal: no, Call: read("get_weather", "")}}},
		{"a read that is not offered", `{result: fan_speed, of: get_climate, is: 1}`, `{}`, nil, vehicle.NewCatalog(cat.Profile, cat.Tool("set_ac")),
			[]rules.Want{{Signal: no, Call: read("get_climate", `{}`), Impossible: true, Why: rules.Absent}}},
		{"an answer without the member", `{result: current.condition, of: get_weather, with: {place: a, hour: 1}, is: rain}`, `{}`, []rulestest.Result{result("get_weather", `{"place":"a","hour":1}`, `{"current":null}`)}, cat,
			[]rules.Want{{Signal: no, Call: read("get_weather", `{"place":"a","hour":1}`), Impossible: true, Why: rules.Null}}},
		{"inside a count", `{count: {field: "window_*_position"}, where: [{field: "window_*_position", gt: 20}], ge: 2}`, `{"window_driver_position":30}`, nil, cat,
			[]rules.Want{{Signal: signal("window_passenger_position")}, {Signal: signal("window_rear_position")}}},
		{"a false test settles it", `{field: fan_speed, is: 1}, {arg: on, is: false}`, `{}`, nil, cat, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := load(t, cat, "- {id: r, type: prohibition, on: [{call: set_ac}], forbid: {}, if: ["+c.test+"]}\n")
			e := &rulestest.Env{Cat: c.cat, Call: call("set_ac", `{"on":true}`), Fields: observed(cat, c.state), Results: c.results}
			var got []rules.Want
			for _, m := range set.Rule("r").Matches(e) {
				got = append(got, m.Wants...)
			}
			if d := cmp.Diff(c.want, got, cmp.Comparer(vehicle.Value.Equal)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestEvidence(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `- {id: r, type: prohibition, on: [{call: set_ac}], forbid: {}, if: [{field: "window_*_position", gt: 20, unit: percent}, {arg: on, is: true}]}`+"\n")
	e := &rulestest.Env{Cat: cat, Call: call("set_ac", `{"on":true}`), Fields: observed(cat, `{"window_driver_position":25,"window_passenger_position":0,"window_rear_position":0}`)}
	m := set.Rule("r").Matches(e)
	if len(m) != 1 || m[0].Item != "driver" {
		t.Fatalf("got %+v", m)
	}
	want := []rules.Evidence{
		{Left: "window_driver_position", Value: vehicle.NumberOf(25), Op: "gt", Right: vehicle.NumberOf(20), Truth: rules.True, Why: rules.Observed},
		{Left: "on", Value: vehicle.BoolOf(true), Op: "is", Right: vehicle.BoolOf(true), Truth: rules.True, CallID: "c1", Why: rules.Observed},
	}
	if d := cmp.Diff(want, m[0].Evidence, cmp.Comparer(vehicle.Value.Equal)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
