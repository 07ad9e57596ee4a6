// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// owing are the calls that a draft of the property is made of, by world: those
// that rules owe something for, and those that rules owe.
var owing = map[string][]string{
	"oven": {
		"set_heater", `{"on":true}`, "set_heater", `{"on":false}`, "set_grill", `{"on":true}`, "set_fan", `{"level":0}`, "set_fan", `{"level":1}`,
		"set_fan", `{"level":3}`, "open_close_door", `{"door":"LEFT","percentage":0}`, "open_close_door", `{"door":"ALL","percentage":0}`,
		"open_close_door", `{"door":"BACK","percentage":60}`, "move_hood", `{"percentage":50}`, "move_flap", `{"percentage":100}`, "move_flap", `{"percentage":0}`,
	},
	"car": {
		"set_air_conditioning", `{"on":true}`, "set_air_conditioning", `{"on":false}`, "set_window_defrost", `{"on":true,"defrost_window":"FRONT"}`,
		"set_window_defrost", `{"on":true,"defrost_window":"ALL"}`, "set_fan_speed", `{"level":0}`, "set_fan_speed", `{"level":2}`,
		"set_fan_airflow_direction", `{"direction":"FEET"}`, "set_fan_airflow_direction", `{"direction":"WINDSHIELD_FEET"}`,
		"open_close_window", `{"window":"ALL","percentage":0}`, "open_close_window", `{"window":"DRIVER","percentage":60}`,
		"open_close_window", `{"window":"RIGHT_REAR","percentage":10}`, "set_fog_lights", `{"on":true}`, "set_head_lights_low_beams", `{"on":true}`,
		"set_head_lights_low_beams", `{"on":false}`, "open_close_sunroof", `{"percentage":50}`, "open_close_sunshade", `{"percentage":100}`,
		"open_close_sunshade", `{"percentage":0}`,
	},
}

// TestDemandedThenClean: a draft that code has repaired has nothing left that
// code would repair, and a student that drafts just that by itself is not
// corrected: what one gate demands no other one takes back.
func TestDemandedThenClean(t *testing.T) {
	for name, w := range map[string]func() world{"oven": ovenWorld, "car": carWorld} {
		t.Run(name, func(t *testing.T) {
			w := w()
			if w.err != nil {
				t.Fatal(w.err)
			}
			rapid.Check(t, func(rt *rapid.T) {
				state := drawState(rt, w.profile)
				draft := drawDraft(rt, owing[name])
				said := rapid.SampledFrom([]string{"", "turn on the heater and the air conditioning", "open the door and the window and turn on the fan"}).Draw(rt, "said")
				repaired, checks, left := verified(rt, w, state, draft, said)
				last := checks[len(checks)-1]
				if rest := repairs(last.Findings); len(rest) > 0 || len(checks) > 8 {
					rt.Fatalf("%d checks, and still %s", len(checks), show(rest))
				}
				for _, f := range left {
					if f.Rule != "" || f.Action == harness.AskFirst {
						return // the driver decides, or the call does not go: there is no draft that does what was demanded
					}
				}
				own := harness.Draft{}
				for _, c := range repaired.Calls {
					own.Calls = append(own.Calls, vehicle.Call{Tool: c.Tool, Args: c.Args})
				}
				_, checks, _ = verified(rt, w, state, own, said)
				for _, c := range checks {
					if rest := repairs(c.Findings); len(rest) > 0 {
						rt.Fatalf("from %v\nwas demanded %s\nand is corrected: %s", listed(draft), listed(own), show(rest))
					}
				}
			})
		})
	}
}

// checker is a test, or one draw of a property.
type checker interface {
	Fatal(args ...any)
	Context() context.Context
}

// verified has a draft verified in a car of that state in which nothing was
// read yet.
func verified(t checker, w world, state map[string]vehicle.Value, d harness.Draft, said string) (harness.Draft, []harness.Check, []harness.Finding) {
	cat := vehicle.NewCatalog(w.profile)
	car := harnesstest.NewCar(cat, state)
	car.Answers["get_weather"] = vehicle.MustJSON(`{"current_slot":{"condition":"sunny"},"next_slot":null}`)
	car.Answers["get_user_preferences"] = vehicle.ObjectOf()
	u, err := harness.NewSuite(harness.Parts{ID: "p", Catalog: cat, Rules: func() *rules.Set { return w.set }, Language: w.lang(cat), Car: car,
		Context: func(name string) vehicle.Value { return around[name] }})
	if err != nil {
		t.Fatal(err)
	}
	u.Hear(said)
	return u.Verify(t.Context(), d)
}

// drawState draws values around the thresholds of the rules.
func drawState(t *rapid.T, p *vehicle.Profile) map[string]vehicle.Value {
	out := atRest(p)
	for _, s := range p.Signals {
		switch {
		case s.Type == vehicle.TypeBool:
			out[s.Name] = vehicle.BoolOf(rapid.Bool().Draw(t, s.Name))
		case s.Type == vehicle.TypeEnum:
			out[s.Name] = vehicle.TextOf(rapid.SampledFrom(s.Allowed).Draw(t, s.Name))
		case s.HasRange() && s.Max == 100:
			out[s.Name] = vehicle.NumberOf(rapid.SampledFrom([]float64{0, 10, 20, 21, 50, 99, 100}).Draw(t, s.Name))
		case s.HasRange() && s.Max <= 5:
			out[s.Name] = vehicle.NumberOf(float64(rapid.IntRange(int(s.Min), int(s.Max)).Draw(t, s.Name)))
		}
	}
	return out
}

func drawDraft(t *rapid.T, from []string) harness.Draft {
	var l []string
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(from)/2-1), 1, 4, rapid.ID).Draw(t, "draft") {
		l = append(l, from[2*i:2*i+2]...)
	}
	return harnesstest.Calls(l...)
}

// repairs are the findings that have code change the draft for a rule's sake.
func repairs(found []harness.Finding) (out []harness.Finding) {
	for _, f := range found {
		if f.Action == harness.Repair && f.Rule != "" && len(f.Remedy.Defer) == 0 {
			out = append(out, f)
		}
	}
	return out
}

func listed(d harness.Draft) (s string) {
	for i := range d.Calls {
		s += d.Calls[i].Canonical() + " "
	}
	return s
}

func show(found []harness.Finding) (s string) {
	for _, f := range found {
		s += fmt.Sprintf("\n%s %s: %s", f.Gate, f.Rule, f.Note)
	}
	return s
}

// What is owed for a call goes in front with it: the heater takes its door and
// its fan along when the grill takes the heater.
func TestOwedMovesWithItsTrigger(t *testing.T) {
	w := ovenWorld()
	if w.err != nil {
		t.Fatal(w.err)
	}
	state := atRest(w.profile)
	state["door_back_position"], state["door_left_position"] = vehicle.NumberOf(21), vehicle.NumberOf(10)
	draft := harnesstest.Calls("set_grill", `{"on":true}`, "set_heater", `{"on":true}`, "open_close_door", `{"door":"LEFT","percentage":0}`)
	repaired, _, _ := verified(t, w, state, draft, "")
	want := `open_close_door{"door":"BACK","percentage":0} set_fan{"level":2} set_heater{"on":true} set_grill{"on":true} `
	if got := listed(repaired); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
