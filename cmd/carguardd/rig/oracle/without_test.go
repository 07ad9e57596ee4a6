// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"slices"
	"testing"

	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/testdata"
)

var windows = []string{"window_driver_position", "window_passenger_position", "window_driver_rear_position", "window_passenger_rear_position"}

var routes = []string{"set_new_navigation", "get_routes_from_start_to_destination", "get_location_id_by_location_name", "delete_current_navigation"}

var edits = []string{"navigation_add_one_waypoint", "navigation_replace_one_waypoint", "navigation_replace_final_destination",
	"navigation_delete_waypoint", "navigation_delete_destination", "get_current_navigation_state"}

// stresses say, for each rule of the policy, what a conversation is about in
// which the rule has work to do.
var stresses = map[string]stress{
	"004":            {tools: []string{"open_close_trunk_door", "set_head_lights_high_beams", "send_email"}},
	"005":            {tools: []string{"open_close_sunroof"}, knobs: []string{"sunshade_position"}},
	"007":            {tools: []string{"open_close_window"}, knobs: []string{"air_conditioning"}},
	"008":            {tools: []string{"open_close_sunroof"}},
	"008-fog":        {tools: []string{"set_fog_lights"}},
	"010a":           {tools: []string{"set_window_defrost"}, knobs: []string{"fan_speed"}},
	"010b":           {tools: []string{"set_window_defrost"}, knobs: []string{"fan_airflow_direction"}},
	"010c":           {tools: []string{"set_window_defrost"}, knobs: []string{"air_conditioning"}},
	"011a":           {tools: []string{"set_air_conditioning"}, knobs: windows},
	"011b":           {tools: []string{"set_air_conditioning"}, knobs: []string{"fan_speed", "air_conditioning"}},
	"012":            {tools: []string{"set_climate_temperature"}, knobs: []string{"climate_temperature_driver", "climate_temperature_passenger"}},
	"013a":           {tools: []string{"set_fog_lights"}, knobs: []string{"head_lights_low_beams", "fog_lights"}},
	"013b":           {tools: []string{"set_fog_lights"}, knobs: []string{"head_lights_high_beams", "fog_lights"}},
	"014":            {tools: []string{"set_head_lights_high_beams"}, knobs: []string{"fog_lights"}},
	"016":            {tools: routes, errands: errands["016"]},
	"017":            {tools: edits},
	"018":            {tools: routes},
	"018-sequence":   {tools: edits},
	"019":            {tools: edits},
	"023":            {tools: []string{"get_entries_from_calendar"}},
	"024":            {tools: []string{"get_weather"}},
	"places":         {errands: errands["places"]},
	"poi-poi":        {errands: errands["poi-poi"]},
	"ids":            {errands: errands["ids"]},
	"021":            {errands: errands["021"]},
	"022":            {errands: errands["022"]},
	"022-toll":       {errands: errands["022-toll"]},
	"pois":           {errands: errands["pois"]},
	"along-route":    {errands: errands["along-route"]},
	"contact-name":   {errands: errands["contact-name"]},
	"call-last":      {errands: errands["call-last"]},
	"002":            {},
	"charge-high":    {tools: []string{"set_charge_limit"}},
	"charge-low":     {tools: []string{"set_charge_limit"}},
	"charge-plugged": {tools: []string{"start_stop_charging"}, knobs: []string{"charge_cable_connected", "is_charging"}},
	"charge-flap":    {tools: []string{"open_close_charge_flap"}, knobs: []string{"is_charging", "charge_flap"}},
}

// policyRules are the ids of the rules of the demonstration's bundle.
func policyRules(t testing.TB) (ids []string) {
	t.Helper()
	set, _ := bundletest.Load(t, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	for _, r := range set.Rules {
		ids = append(ids, r.ID)
	}
	return ids
}

// TestEveryRuleIsNeeded takes out one rule after the other: the oracle must see
// that the statement which the rule carries out does not hold any more.
//
// Some of them are seen by what is tried, not by what the car does: a marked tool
// is asked about for its mark too (004), the car itself refuses to charge without
// a cable (charge-plugged), the navigation service refuses a second navigation
// (018), a route that does not exist (ids), one between two points of interest
// (poi-poi) and a charging station anywhere (along-route), and the address book
// a contact without a name (contact-name). Others are seen by what is spoken
// (002, 012, 021, 022, 022-toll, pois).
func TestEveryRuleIsNeeded(t *testing.T) {
	for _, id := range policyRules(t) {
		t.Run(id, func(t *testing.T) {
			s, ok := stresses[id]
			if !ok {
				t.Fatal("what makes this rule work is not known here")
			}
			for seed := range uint64(12) {
				c := conversation{seed: 1000 + seed, to: 2 * chapter, without: id, ungated: gatedToo[id], stress: s}
				f := c.run(t, newTally())
				if f == nil {
					continue
				}
				for _, v := range f.violations {
					if v.Statement != id && !slices.Contains(together[id], v.Statement) {
						t.Fatalf("something else is violated: %v", f)
					}
				}
				return
			}
			t.Fatal("without the rule nothing is violated")
		})
	}
}

// gatedToo are rules whose statement a gate holds to without any rule.
var gatedToo = map[string]string{"018-sequence": "exclusive-calls"}

// together are statements that another one's rule keeps as well: whose remedy
// needs that of the first.
var together = map[string][]string{}
