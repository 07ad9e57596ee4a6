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

func TestTriggered(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `
- {id: call, type: prohibition, on: [{call: set_ac, when: [{arg: on, is: true}]}, {call: set_fan}], forbid: {}}
- {id: driver, type: prohibition, on: [{call: "@climate", by: driver}], forbid: {}}
- {id: reply, type: disclosure, on: [{reply: refusal}, {reply: claim}], tell: [{word: rain}]}
- {id: any, type: disclosure, on: [{reply: any}], tell: [{word: rain}]}
- {id: result, type: disclosure, on: [{result: get_weather}], if: [{result: current.condition, is: rain}], tell: [{word: rain}]}
`)
	by := func(o vehicle.Origin) *vehicle.Call {
		c := call("set_fan", `{"level":1}`)
		c.Origin = o
		return c
	}
	T, F, U := rules.True, rules.False, rules.Unknown
	for _, c := range []struct {
		name, rule string
		call       *vehicle.Call
		kinds      []rules.ReplyKind
		want       rules.Truth
	}{
		{"when holds", "call", call("set_ac", `{"on":true}`), nil, T},
		{"when fails", "call", call("set_ac", `{"on":false}`), nil, F},
		{"when unknown", "call", call("set_ac", `{}`), nil, U},
		{"another alternative", "call", call("set_fan", `{"level":1}`), nil, T},
		{"another tool", "call", call("move_sunroof", `{"percentage":1}`), nil, F},
		{"by the student", "driver", by(vehicle.ByStudent), nil, T},
		{"by consent", "driver", by(vehicle.ByConsent), nil, T},
		{"by a rule", "driver", by(vehicle.ByRule), nil, F},
		{"a claim", "reply", nil, []rules.ReplyKind{rules.ReplyClaim}, T},
		{"a question", "reply", nil, []rules.ReplyKind{rules.ReplyQuestion}, F},
		{"any reply", "any", nil, nil, T},
		{"a call is no reply", "any", call("set_ac", `{"on":true}`), nil, F},
		{"a result", "result", call("get_weather", `{"place":"a","hour":1}`), nil, T},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &rulestest.Env{Cat: cat, Call: c.call, Kinds: c.kinds}
			got, _, wants := set.Rule(c.rule).Triggered(e)
			if got != c.want || got == U && len(wants) == 0 {
				t.Errorf("got %v, want %v; wants %v", got, c.want, wants)
			}
		})
	}
	t.Run("a result is that of the very call", func(t *testing.T) {
		e := &rulestest.Env{Cat: cat, Call: call("get_weather", `{"place":"a","hour":1}`), Results: []rulestest.Result{
			result("get_weather", `{"place":"a","hour":1}`, `{"current":{"condition":"rain"}}`),
			result("get_weather", `{"place":"b","hour":1}`, `{"current":{"condition":"sunny"}}`)}}
		if m := set.Rule("result").Matches(e); len(m) != 1 || m[0].Truth != T {
			t.Errorf("got %+v", m)
		}
	})
	if got := set.OnReply(); len(got) != 2 || len(set.On("set_fan")) != 2 || len(set.OnResult("get_weather")) != 1 {
		t.Errorf("the index is wrong: %v", got)
	}
}

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

func TestTells(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `
- {id: r, type: disclosure, on: [{call: set_fan}], tell: [{word: rain}, {value: {field: fan_speed}}, {value: {field: waypoints}}], withhold: [{field: plate}]}
`)
	e := &rulestest.Env{Cat: cat, Call: call("set_fan", `{"level":1}`), Fields: observed(cat, `{"fan_speed":2,"waypoints":["a","b"],"plate":"LI AB 12"}`),
		Around: map[string]vehicle.Value{"language": vehicle.TextOf("de")}}
	said := func(text string) (open []string) {
		e.Text = text
		m := set.Rule("r").Matches(e)
		for _, x := range set.Rule("r").Tells(e, set, &m[0]) {
			if !x.OK() {
				open = append(open, x.Label+" "+x.Value.String())
			}
		}
		return open
	}
	for text, want := range map[string][]string{
		"":                                  {"rain unknown", "fan_speed 2", "waypoints a", "waypoints b"},
		"Regen, 2, a und b":                 nil,
		"rain, 2, a, b":                     {"rain unknown"},
		"Regen, 2, b":                       {"waypoints a"},
		"Regen, 2, a, b, dein LI AB 12 ist": {"plate LI AB 12"},
	} {
		if d := cmp.Diff(want, said(text)); d != "" {
			t.Errorf("%q: (-want +got)\n%s", text, d)
		}
	}
}

func TestAsksAndSentence(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `
- id: r
  type: confirmation
  on: [{call: move_window}]
  if: [{field: "window_{item}_position", lt: {arg: percentage}}]
  ask: {naming: [percentage, window], warn: [rain]}
  say: {en: "Open the {item} to {arg percentage} percent? The fan is at {field fan_speed}, it is {context now.hour}.", de: "{item} auf {arg percentage} Prozent?"}
`)
	e := &rulestest.Env{Cat: cat, Call: call("move_window", `{"window":"DRIVER","percentage":22.5}`), Around: map[string]vehicle.Value{"now.hour": vehicle.NumberOf(9)},
		Fields: observed(cat, `{"window_driver_position":1,"fan_speed":3}`)}
	r := set.Rule("r")
	m := r.Matches(e)
	a := r.Asks(e, set)
	if len(a.Naming) != 2 || a.Naming[0].Name != "percentage" || !a.Naming[0].Value.Equal(vehicle.NumberOf(22.5)) || len(a.Warn) != 1 || a.Warn[0].Name != "rain" {
		t.Errorf("got %+v", a)
	}
	for lang, want := range map[string]string{
		"en": "Open the driver's window to 22.5 percent? The fan is at 3, it is 9.",
		"de": "Fahrerfenster auf 22,5 Prozent?",
		"fr": "Open the driver's window to 22.5 percent? The fan is at 3, it is 9.",
	} {
		if got := r.Sentence(e, set, &m[0], lang); got != want {
			t.Errorf("%s: got %q, want %q", lang, got, want)
		}
	}
}

func TestMissing(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `
- {id: r, type: auto_action, on: [{call: set_ac, when: [{arg: on, is: true}]}], if: [{field: fan_speed, is: 0}], owe: [{call: set_fan, args: {level: 1}}]}
`)
	for _, c := range []struct {
		name  string
		tools []string
		want  []string
	}{
		{"all offered", []string{"set_ac", "set_fan", "get_climate"}, nil},
		{"no read", []string{"set_ac", "set_fan"}, []string{"field fan_speed"}},
		{"no remedy", []string{"set_ac", "get_climate"}, []string{"tool set_fan"}},
		{"no trigger", []string{"set_fan", "get_climate"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var tools []*vehicle.Tool
			for _, n := range c.tools {
				tools = append(tools, cat.Tool(n))
			}
			var got []string
			for _, q := range set.Rule("r").Missing(vehicle.NewCatalog(cat.Profile, tools...)) {
				got = append(got, q.String())
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestClasses(t *testing.T) {
	set := load(t, car(t), `
- {id: write, type: prohibition, on: [{call: set_ac}], forbid: {}}
- {id: read, type: constraint, on: [{call: get_weather}], must: [{arg: hour, lt: 20}]}
- {id: said, type: prohibition, on: [{call: set_ac}], forbid: {}, unknown: allow, error: allow, absent: allow}
`)
	for id, want := range map[string][3]rules.Class{
		"write": {rules.ClassAsk, rules.ClassRefuse, rules.ClassHold},
		"read":  {rules.ClassAsk, rules.ClassAllow, rules.ClassHold},
		"said":  {rules.ClassAllow, rules.ClassAllow, rules.ClassAllow},
	} {
		r := set.Rule(id)
		if got := [3]rules.Class{r.Unknown, r.Error, r.Absent}; got != want {
			t.Errorf("%s: got %v, want %v", id, got, want)
		}
	}
}
