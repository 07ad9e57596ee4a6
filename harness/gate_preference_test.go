// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

func TestPreferenceConflict(t *testing.T) {
	calls := harnesstest.Calls
	wish := func(texts string) func(b *bench) {
		return func(b *bench) {
			b.hear("hello")
			b.came("recall_wishes", `{"about":{"lamp":true}}`, done(`{"lamp":`+texts+`}`))
		}
	}
	stored := func(texts string) func(b *bench) {
		return func(b *bench) {
			b.hear("hello")
			b.came("get_user_preferences", `{"preference_categories":{"vehicle_settings":{"climate_control":true}}}`, done(`{"vehicle_settings":{"climate_control":`+texts+`}}`))
			b.do("get_climate_settings", `{}`)
		}
	}
	const lamp = `{"color":"WHITE","level":1}`
	blue := []string{`preference-conflict repair =set_lamp{"color":"BLUE","level":1}`}
	only(t, "preference-conflict", []behaviour{
		{id: "oven: another one is stored", car: inEnglishOven, set: wish(`["the lamp should be blue"]`), say: "lamp on, level 1", draft: calls("set_lamp", lamp), want: blue, note: "should be blue"},
		{id: "oven: the same is stored", car: inEnglishOven, set: wish(`["the lamp should be white"]`), say: "lamp on, level 1", draft: calls("set_lamp", lamp)},
		{id: "oven: nothing was read", car: inEnglishOven, say: "lamp on, level 1", draft: calls("set_lamp", lamp)},
		{id: "oven: the driver named it", car: inEnglishOven, set: wish(`["the lamp should be blue"]`), say: "white lamp, level 1", draft: calls("set_lamp", lamp)},
		{id: "oven: about something else", car: inEnglishOven, set: wish(`["the plates should be blue"]`), say: "lamp on, level 1", draft: calls("set_lamp", lamp)},
		{id: "oven: a denial wants nothing", car: inEnglishOven, set: wish(`["the lamp should not be blue"]`), say: "lamp on, level 1", draft: calls("set_lamp", lamp)},
		{id: "oven: several are wanted", car: inEnglishOven, set: wish(`["the lamp should be blue","the lamp should be red"]`), say: "lamp on, level 1", draft: calls("set_lamp", lamp), want: []string{"preference-conflict ask"}},
		{id: "oven: outside the schema", car: inEnglishOven, set: wish(`["lamp level 9 please"]`), say: "white lamp", draft: calls("set_lamp", lamp)},
		{id: "oven: a number", car: inEnglishOven, set: wish(`["the lamp is best on level 2"]`), say: "white lamp", draft: calls("set_lamp", lamp),
			want: []string{`preference-conflict repair =set_lamp{"color":"WHITE","level":2}`}},
		{id: "oven: a condition that is met", car: inEnglishOven, set: wish(`["the lamp should be white, when the grill is on, then the lamp should be blue"]`), say: "grill and lamp on, level 1",
			draft: calls("set_lamp", lamp, "set_grill", `{"on":true}`), want: blue},
		{id: "oven: a condition that is not", car: inEnglishOven, set: func(b *bench) {
			b.hear("hello")
			b.do("get_state", `{}`)
			wish(`["the lamp should be white, when the grill is on, then the lamp should be blue"]`)(b)
		}, say: "lamp on, level 1", draft: calls("set_lamp", lamp)},
		{id: "oven: a condition nobody knows", car: inEnglishOven, set: wish(`["the lamp should be red, when the grill is on, then the lamp should be blue"]`), say: "lamp on, level 1", draft: calls("set_lamp", lamp)},

		{id: "car: the level that is stored", car: inCar, set: stored(`["seat heating is always on level 2, since level 3 is too hot"]`), say: "turn on my seat heating",
			draft: calls("set_seat_heating", `{"level":3,"seat_zone":"DRIVER"}`), want: []string{`preference-conflict repair =set_seat_heating{"level":2,"seat_zone":"DRIVER"}`}},
		{id: "car: a neighbour is not meant", car: inCar, set: stored(`["seat heating is always on level 2"]`), say: "turn on the steering wheel heating",
			draft: calls("set_steering_wheel_heating", `{"level":1}`)},
		{id: "car: members made of each other are asked about", car: inCar, set: stored(`["the airflow goes to the feet"]`), say: "turn on the front defrost",
			draft: calls("set_fan_airflow_direction", `{"direction":"WINDSHIELD"}`), want: []string{"preference-conflict ask"}},
		{id: "car: the value of another thing is none of this", car: inCar, set: stored(`["the airflow goes to the feet, if a window is defrosted, then WINDSHIELD_FEET"]`), say: "turn on the defrost of the front window",
			draft: calls("set_window_defrost", `{"on":true,"defrost_window":"FRONT"}`, "set_fan_airflow_direction", `{"direction":"WINDSHIELD"}`), want: []string{"preference-conflict ask"}},
		{id: "car: the special case beats the rest", car: inCar, set: stored(`["the airflow goes to the feet, if a window is defrosted, then WINDSHIELD_FEET"]`), say: "turn on the front defrost",
			draft: calls("set_fan_airflow_direction", `{"direction":"WINDSHIELD_FEET"}`)},
	})
}

// A rule that owes a value by default gives way to a stored preference, as far
// as the rule is content with it.
func TestDefaultYieldsToPreference(t *testing.T) {
	for _, tc := range []struct {
		name   string
		stored string
		say    string
		draft  harness.Draft
		want   string // the level
	}{
		{"nothing is stored", `[]`, "turn on the air conditioning", harnesstest.Calls("set_air_conditioning", `{"on":true}`), `{"level":1}`},
		{"another level is", `["the fan speed should be level 3"]`, "turn on the air conditioning", harnesstest.Calls("set_air_conditioning", `{"on":true}`), `{"level":3}`},
		{"one that the rule is not content with", `["the fan speed should be level 0"]`, "turn on the air conditioning", harnesstest.Calls("set_air_conditioning", `{"on":true}`), `{"level":1}`},
		{"two that disagree", `["the fan speed should be level 3","the fan speed should be level 4"]`, "turn on the air conditioning",
			harnesstest.Calls("set_air_conditioning", `{"on":true}`), `{"level":1}`},
		{"the driver said one", `["the fan speed should be level 3"]`, "turn on the air conditioning and set the fan speed to 2",
			harnesstest.Calls("set_air_conditioning", `{"on":true}`, "set_fan_speed", `{"level":2}`), `{"level":2}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newCarScene(t, map[string]string{"fan_speed": "0"}, tc.draft, harnesstest.Say("Done."))
			sc.car.Answers["get_user_preferences"] = vehicle.MustJSON(`{"vehicle_settings":{"climate_control":` + tc.stored + `}}`)
			var fan []string
			turn := sc.say(tc.say)
			for _, st := range turn.Steps {
				for _, c := range st.Released {
					if c.Tool == "set_fan_speed" {
						fan = append(fan, c.Args.String())
					}
				}
			}
			if d := cmp.Diff([]string{tc.want}, fan); d != "" {
				t.Errorf("fan (-want +got):\n%s\nreply: %s", d, turn.Reply)
			}
			if turn.Usage.ModelCalls != 2 && tc.name != "the driver said one" {
				t.Errorf("%d model calls, want those of the student alone", turn.Usage.ModelCalls)
			}
		})
	}
}
