// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// driving is a car of the in-car tool set at Lindau with a navigation by
// Ravensburg to Ulm, in the demonstration's world.
func driving(t testing.TB) (*sim.Car, map[string]string) {
	t.Helper()
	w := demoWorld(t)
	c := sim.NewInCar(w.Data)
	ids := map[string]string{}
	for _, p := range w.Data.Places {
		ids[p.Name] = p.ID
	}
	route := func(a, b string) string {
		for _, r := range w.Data.Routes {
			if r.Start == ids[a] && r.Dest == ids[b] {
				return r.ID
			}
		}
		t.Fatalf("no route from %s to %s", a, b)
		return ""
	}
	ids["lin-bre"], ids["bre-inn"] = route("Lindau", "Bregenz"), route("Bregenz", "Innsbruck")
	ids["lin-inn"], ids["bre-lin"] = route("Lindau", "Innsbruck"), route("Bregenz", "Lindau")
	ids["bre-gal"] = route("Bregenz", "St. Gallen")
	err := c.Init(vehicle.MustJSON(`{"current_location":{"id":"` + ids["Lindau"] + `","name":"Lindau"},
		"current_datetime":{"year":2026,"month":3,"day":14,"hour":10,"minute":30},
		"battery_capacity_kwh":80,"useable_battery_percentage":95,"max_charging_power_ac":11,"max_charging_power_dc":200,
		"energy_consumption":15,"state_of_charge":50,
		"user_preferences":{"weather":{"weather":["Likes sun."]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	o := c.Call("set_new_navigation", vehicle.MustJSON(`{"route_ids":["`+ids["lin-bre"]+`","`+ids["bre-inn"]+`"]}`))
	if o.Failed {
		t.Fatal(o.Text())
	}
	return c, ids
}

func TestErrorBranches(t *testing.T) {
	for _, c := range []struct{ name, tool, args, want string }{
		{"out of range", "open_close_sunroof", `{"percentage":101}`, "OPEN_CLOSE_SUNROOF_001"},
		{"not a whole number", "open_close_sunroof", `{"percentage":10.5}`, "Error: "},
		{"a list of windows", "open_close_window", `{"window":["DRIVER"],"percentage":0}`, "OPEN_CLOSE_WINDOW_002"},
		{"no window", "open_close_window", `{"window":"REAR","percentage":0}`, "OPEN_CLOSE_WINDOW_003"},
		{"temperature off the scale", "set_climate_temperature", `{"temperature":120,"seat_zone":"DRIVER"}`, "SET_CLIMATE_TEMPERATURE_001"},
		{"temperature off the range", "set_climate_temperature", `{"temperature":30,"seat_zone":"DRIVER"}`, "Error: "},
		{"temperature off the step", "set_climate_temperature", `{"temperature":20.3,"seat_zone":"DRIVER"}`, "Error: "},
		{"wrong type", "set_fan_speed", `{"level":"two"}`, "Error: "},
		{"navigation is on", "set_new_navigation", `{"route_ids":["$lin-inn"]}`, "SET_NAVIGATION_001"},
		{"form of a stop", "navigation_delete_waypoint", `{"waypoint_id_to_delete":"Bregenz","route_id_without_waypoint":"$lin-inn"}`, "NAVIGATION_DELETE_WAYPOINT_001"},
		{"unknown route", "navigation_delete_waypoint", `{"waypoint_id_to_delete":"$Bregenz","route_id_without_waypoint":"rll_aaa_bbb_1"}`, "NAVIGATION_DELETE_WAYPOINT_004"},
		{"not on the route", "navigation_delete_waypoint", `{"waypoint_id_to_delete":"$Ulm","route_id_without_waypoint":"$lin-inn"}`, "NAVIGATION_DELETE_WAYPOINT_005"},
		{"last waypoint", "navigation_delete_waypoint", `{"waypoint_id_to_delete":"$Innsbruck","route_id_without_waypoint":"$lin-inn"}`, "Error: list index out of range"},
		{"does not start there", "navigation_delete_waypoint", `{"waypoint_id_to_delete":"$Bregenz","route_id_without_waypoint":"$bre-inn"}`, "NAVIGATION_DELETE_WAYPOINT_006"},
		{"does not end there", "navigation_delete_waypoint", `{"waypoint_id_to_delete":"$Bregenz","route_id_without_waypoint":"$lin-bre"}`, "NAVIGATION_DELETE_WAYPOINT_007"},
		{"not the destination", "navigation_delete_destination", `{"destination_id_to_delete":"$Bregenz"}`, "NAVIGATION_DELETE_DESTINATION_004"},
		{"add after nothing", "navigation_add_one_waypoint", `{"waypoint_id_to_add":"$St. Gallen","waypoint_id_before_new_waypoint":"$Ulm","route_id_leading_to_new_waypoint":"$bre-gal"}`, "NAV_ADD_WP_007"},
		{"add half", "navigation_add_one_waypoint", `{"waypoint_id_to_add":"$St. Gallen","waypoint_id_before_new_waypoint":"$Bregenz","route_id_leading_to_new_waypoint":"$bre-gal"}`, "NAV_ADD_WP_008"},
		{"add to a start that is not", "navigation_add_one_waypoint", `{"waypoint_id_to_add":"$Innsbruck","waypoint_id_before_new_waypoint":"$Lindau","waypoint_id_after_new_waypoint":"$Bregenz","route_id_leading_to_new_waypoint":"$bre-inn","route_id_leading_away_from_new_waypoint":"$bre-inn"}`, "NAV_ADD_WP_011"},
		{"replace the destination from elsewhere", "navigation_replace_final_destination", `{"new_destination_id":"$Innsbruck","route_id_leading_to_new_destination":"$lin-inn"}`, "NAVIGATION_REPLACE_ONE_WAYPOINT_010"},
		{"replace by the start", "navigation_replace_final_destination", `{"new_destination_id":"$Lindau","route_id_leading_to_new_destination":"$bre-lin"}`, "NAVIGATION_REPLACE_ONE_WAYPOINT_008"},
		{"poi to poi", "get_routes_from_start_to_destination", `{"start_id":"poi_abc_1","destination_id":"poi_abc_2"}`, "GET_ROUTES_003"},
		{"no way", "get_routes_from_start_to_destination", `{"start_id":"$Chur","destination_id":"$Chur"}`, "GET_ROUTES_004"},
		{"another day", "get_weather", `{"location_or_poi_id":"$Lindau","month":3,"day":15,"time_hour_24hformat":10}`, "GET_WEATHER_001"},
		{"hour 24", "get_weather", `{"location_or_poi_id":"$Lindau","month":3,"day":14,"time_hour_24hformat":24}`, "Error: "},
		{"nowhere", "get_weather", `{"location_or_poi_id":"loc_abc_1","month":3,"day":14,"time_hour_24hformat":10}`, "GET_WEATHER_002"},
		{"another day's calendar", "get_entries_from_calendar", `{"month":4,"day":14}`, "GET_ENTRIES_FROM_CALENDAR_001"},
		{"stranger", "send_email", `{"content_message":"hi","email_addresses":["a@b.c"]}`, "SEND_EMAIL_001"},
		{"no kilometre", "search_poi_along_the_route", `{"route_id":"$lin-inn","category_poi":"charging_stations"}`, "SEARCH_POI_ATR_007"},
		{"both", "convert_route_distance_and_time", `{"route_id":"$lin-inn","time_minutes":1,"distance_km":1}`, "CONVERT_RTDT_002"},
		{"beyond the end", "convert_route_distance_and_time", `{"route_id":"$lin-inn","distance_km":9999}`, "CONVERT_RTDT_006"},
		{"discharging", "get_distance_by_soc", `{"initial_state_of_charge":10,"final_state_of_charge":20}`, "GET_DISTANCE_BY_SOC_001"},
		{"no plug", "calculate_charging_time_by_soc", `{"charging_station_id":"poi_abc_1","charging_station_plug_id":"plg_abc_1","start_state_of_charge":10}`, "CALCULATE_CHARGING_TIME_006"},
		{"letters", "calculate_math", `{"expression":"2+x"}`, "Error: invalid characters in expression"},
		{"by nothing", "calculate_math", `{"expression":"1/0"}`, "Error: division by zero"},
		{"open parenthesis", "calculate_math", `{"expression":"(1+2"}`, "Error: '(' was never closed"},
		{"end of the month", "calculate_datetime", `{"original_datetime":{"year":2026,"month":3,"day":30,"hour":23,"minute":0},"times_to_add":[{"hours":1,"minutes":0}]}`, "Error: "},
		{"no such plan", "planning_tool", `{"command":"get","plan_id":"x"}`, "PLANNING_TOOL_ERROR"},
		{"no such command", "planning_tool", `{"command":"burn"}`, "PLANNING_TOOL_001"},
		{"arguments are a list", "think", `["x"]`, "Error: "},
		{"three are missing", "get_weather", `{"month":3}`, "Error: GetWeather.invoke() missing 3 required positional arguments: 'location_or_poi_id', 'day', and 'time_hour_24hformat'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			car, ids := driving(t)
			args := c.args
			for name, id := range ids {
				args = strings.ReplaceAll(args, `"$`+name+`"`, `"`+id+`"`)
			}
			before := car.Fingerprint()
			o := car.Call(c.tool, vehicle.MustJSON(args))
			if !o.Failed || !strings.Contains(o.Text(), c.want) || o.Reason() == "" {
				t.Fatalf("%s%s: %s, want %s", c.tool, args, o.Text(), c.want)
			}
			if car.Fingerprint() != before {
				t.Fatal("a failed call changed the car")
			}
			scored := strings.Contains(o.Text(), `"errors"`) && c.tool != "planning_tool"
			if scored != (len(o.Tool) == 1) {
				t.Fatalf("scored errors %v", o.Tool)
			}
		})
	}
}

func TestNavigationEdits(t *testing.T) {
	car, ids := driving(t)
	do := func(tool, args, waypoints string) {
		t.Helper()
		for name, id := range ids {
			args = strings.ReplaceAll(args, `"$`+name+`"`, `"`+id+`"`)
		}
		if o := car.Call(tool, vehicle.MustJSON(args)); o.Failed {
			t.Fatal(o.Text())
		}
		var want []vehicle.Value
		for _, n := range strings.Fields(waypoints) {
			want = append(want, vehicle.TextOf(ids[strings.ReplaceAll(n, "_", " ")]))
		}
		if got := car.Get("waypoints_id"); !got.Equal(vehicle.ListOf(want...)) {
			t.Fatalf("%s: waypoints %v, want %v", tool, got, want)
		}
		if n := car.Get("routes_to_final_destination_id").Len(); n != max(0, len(want)-1) {
			t.Fatalf("%s: %d routes for %d waypoints", tool, n, len(want))
		}
	}
	do("navigation_delete_waypoint", `{"waypoint_id_to_delete":"$Bregenz","route_id_without_waypoint":"$lin-inn"}`, "Lindau Innsbruck")
	do("navigation_add_one_waypoint", `{"waypoint_id_to_add":"$Bregenz","waypoint_id_before_new_waypoint":"$Lindau","waypoint_id_after_new_waypoint":"$Innsbruck",
		"route_id_leading_to_new_waypoint":"$lin-bre","route_id_leading_away_from_new_waypoint":"$bre-inn"}`, "Lindau Bregenz Innsbruck")
	do("navigation_replace_final_destination", `{"new_destination_id":"$St. Gallen","route_id_leading_to_new_destination":"$bre-gal"}`, "Lindau Bregenz St._Gallen")
	do("navigation_delete_destination", `{"destination_id_to_delete":"$St. Gallen"}`, "Lindau Bregenz")
	do("navigation_add_one_waypoint", `{"waypoint_id_to_add":"$Innsbruck","waypoint_id_before_new_waypoint":"$Bregenz","route_id_leading_to_new_waypoint":"$bre-inn"}`, "Lindau Bregenz Innsbruck")
	if len(car.PolicyErrors()) != 0 {
		t.Fatalf("policy errors %v", car.PolicyErrors())
	}
	do("delete_current_navigation", `{}`, "")
	o := car.Call("navigation_delete_destination", vehicle.MustJSON(`{"destination_id_to_delete":"`+ids["Bregenz"]+`"}`))
	if !o.Failed || len(o.Policy) != 1 {
		t.Fatalf("an edit while inactive: %s, %v", o.Text(), o.Policy)
	}
	do("set_new_navigation", `{"route_ids":["$bre-inn"]}`, "Bregenz Innsbruck") // written, and held against the caller
	if n := len(car.PolicyErrors()); n != 2 {
		t.Fatalf("policy errors %v", car.PolicyErrors())
	}
}

func TestRemovedParts(t *testing.T) {
	c := sim.NewInCar(nil)
	c.Remove([]string{"set_fog_lights", "set_fan_speed.level", "result.get_climate_settings.fan_speed"})
	if got := c.Call("get_climate_settings", vehicle.MustJSON(`{}`)).Text(); !strings.Contains(got, `"fan_speed":"unknown"`) {
		t.Error(got)
	}
	if got := c.Call("set_fan_speed", vehicle.MustJSON(`{}`)).Text(); !strings.HasSuffix(got, "it will result in an error.") {
		t.Error(got)
	}
	if len(c.Fictions()) != 0 {
		t.Errorf("fictions %v before any was used", c.Fictions())
	}
	c.Call("set_fan_speed", vehicle.MustJSON(`{"level":2}`))
	c.Call("set_fog_lights", vehicle.MustJSON(`{"on":true}`))
	if got := strings.Join(c.Fictions(), " "); got != "set_fan_speed.level set_fog_lights" {
		t.Errorf("fictions %s", got)
	}
}

func TestArithmetic(t *testing.T) {
	c := sim.NewInCar(nil)
	for _, x := range []struct{ expr, want string }{
		{"2 + 2", "4.0"}, {"37 / 60", "0.62"}, {"(150.8 / 101) * 20", "29.86"}, {"2 - 3 * 4", "-10.0"},
		{"-(1.5)", "-1.5"}, {"7 // 2", "3.0"}, {"2 ** 3 ** 2", "512.0"}, {"- 2 ** 2", "-4.0"}, {"1.005", "1.0"}, {"0.125", "0.12"},
	} {
		if got := c.Call("calculate_math", vehicle.ObjectOf(vehicle.Field{Name: "expression", Value: vehicle.TextOf(x.expr)})).Text(); got != x.want {
			t.Errorf("%s = %s, want %s", x.expr, got, x.want)
		}
	}
}

// TestAnyCall makes calls of any shape: none may panic, and an error leaves
// the car as it was.
func TestAnyCall(t *testing.T) {
	p, _ := sim.InCar()
	leaf := rapid.OneOf(
		rapid.Map(rapid.Float64(), vehicle.NumberOf), rapid.Map(rapid.String(), vehicle.TextOf), rapid.Map(rapid.Bool(), vehicle.BoolOf),
		rapid.SampledFrom([]vehicle.Value{{}, vehicle.TextOf("ALL"), vehicle.NumberOf(2), vehicle.TextOf("loc_abc_1"), vehicle.TextOf("mark_steps"), vehicle.TextOf("create")}))
	any := rapid.OneOf(leaf, rapid.Map(rapid.SliceOfN(leaf, 0, 3), func(l []vehicle.Value) vehicle.Value { return vehicle.ListOf(l...) }),
		rapid.Map(rapid.MapOfN(rapid.String(), leaf, 0, 3), func(m map[string]vehicle.Value) vehicle.Value {
			o := vehicle.ObjectOf()
			for k, v := range m {
				o = o.With(k, v)
			}
			return o
		}))
	car, _ := driving(t)
	rapid.Check(t, func(t *rapid.T) {
		tool := rapid.SampledFrom(p.Tools).Draw(t, "tool")
		args := vehicle.ObjectOf()
		for _, prop := range tool.Input.Properties {
			if rapid.IntRange(0, 9).Draw(t, "given") > 0 {
				args = args.With(prop.Name, any.Draw(t, prop.Name))
			}
		}
		before := car.Fingerprint()
		o := car.Call(tool.Name, args)
		if o.Failed && tool.Name != "send_email" && car.Fingerprint() != before {
			t.Fatalf("%s%v failed and changed the car", tool.Name, args)
		}
	})
}
