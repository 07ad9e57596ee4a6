// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/rules/rulestest"
)

// TestItem follows {item} to the places where it may be written.
func TestItem(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `
- id: mover
  type: prohibition
  on: [{call: move_window}]
  if: [{field: "window_*_locked", is: true}, {arg: window, is: "{item}"}]
  forbid: {}
- id: others
  type: prohibition
  on: [{call: move_window}]
  if: [{field: "window_*_locked", is: true}, {arg: window, not: "{item}"}]
  forbid: {}
- id: element
  type: auto_action
  on: [{call: send_note}]
  if: [{arg: "to[*]", not: me}]
  owe: [{call: start_route, args: {route_ids: {arg: to}}}, {call: send_note, args: {text: "{item}", to: {arg: to}}}]
- id: with
  type: prohibition
  on: [{call: send_note}]
  if: [{arg: "to[*]", known: true}, {result: current.condition, of: get_weather, with: {place: "{item}", hour: 9}, is: rain}]
  forbid: {}
`)
	items := func(rule string, e *rulestest.Env) (out []string) {
		for _, m := range set.Rule(rule).Matches(e) {
			out = append(out, m.Item+" "+m.Truth.String())
		}
		return out
	}
	locked := `{"window_driver_locked":true,"window_passenger_locked":true}`
	for _, c := range []struct {
		name, rule, args string
		want             []string
	}{
		{"the one that is moved", "mover", `{"window":"DRIVER"}`, []string{"driver true"}},
		{"all that are moved", "mover", `{"window":"ALL"}`, []string{"driver true", "passenger true"}},
		{"an alias of another", "mover", `{"window":"BACK"}`, nil},
		{"not given", "mover", `{}`, []string{"driver unknown", "passenger unknown"}},
		{"the others", "others", `{"window":"DRIVER"}`, []string{"passenger true"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &rulestest.Env{Cat: cat, Call: call("move_window", c.args), Fields: observed(cat, locked)}
			if d := cmp.Diff(c.want, items(c.rule, e)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
	t.Run("an element is written as it is", func(t *testing.T) {
		e := &rulestest.Env{Cat: cat, Call: call("send_note", `{"to":["me","loc_2"],"text":"x"}`)}
		want := []string{`start_route{"route_ids":["me","loc_2"]}`, `send_note{"text":"loc_2","to":["me","loc_2"]}`}
		if d := cmp.Diff(want, owed(t, set.Rule("element"), e)); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	})
	t.Run("an element names the read", func(t *testing.T) {
		e := &rulestest.Env{Cat: cat, Call: call("send_note", `{"to":["loc_1","loc_2","loc_3"],"text":"x"}`), Results: []rulestest.Result{
			result("get_weather", `{"place":"loc_1","hour":9}`, `{"current":{"condition":"sunny"}}`),
			result("get_weather", `{"place":"loc_2","hour":9}`, `{"current":{"condition":"rain"}}`)}}
		ms := set.Rule("with").Matches(e)
		if d := cmp.Diff([]string{"loc_2 true", "loc_3 unknown"}, items("with", e)); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
		if w := ms[1].Wants; len(w) != 1 || w[0].Call.Canonical() != `get_weather{"hour":9,"place":"loc_3"}` {
			t.Errorf("got %+v", w)
		}
	})
}

func TestTags(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `
- {id: confirm, type: prohibition, on: [{call: "@confirm"}], forbid: {}}
- {id: outward, type: prohibition, on: [{call: "@outward"}], forbid: {}}
- {id: read, type: prohibition, on: [{call: "@read"}], forbid: {}}
- {id: mixed, type: prohibition, on: [{call: ["@confirm", send_note, "@motion"]}], forbid: {}}
`)
	for id, want := range map[string][]string{
		"confirm": {"send_note"}, "outward": {"send_note"},
		"read":  {"get_windows", "get_locks", "get_roof", "get_climate", "get_range", "get_weather", "get_routes"},
		"mixed": {"send_note", "move_window", "move_sunroof", "move_sunshade"},
	} {
		if d := cmp.Diff(want, set.Rule(id).Triggers()); d != "" {
			t.Errorf("%s (-want +got)\n%s", id, d)
		}
	}
}
