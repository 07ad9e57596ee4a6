// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

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
