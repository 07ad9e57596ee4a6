// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

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
