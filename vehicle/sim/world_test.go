// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

const demoData = "../../testdata/profiles/demo-ev/data"

func demoWorld(t testing.TB) *sim.World {
	t.Helper()
	w, err := sim.LoadWorld(os.DirFS(demoData))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func call(t *testing.T, c *sim.Car, tool, args string) vehicle.Value {
	t.Helper()
	o := c.Call(tool, vehicle.MustJSON(args))
	if o.Failed {
		t.Fatalf("%s%s: %s", tool, args, o.Text())
	}
	return o.Value()
}

// demoCar is a car of the in-car tool set in the demonstration's world.
func demoCar(t testing.TB) *sim.Car {
	t.Helper()
	w := demoWorld(t)
	p, _ := sim.InCar()
	return sim.NewCar(p, w.Data, w.Context)
}

func at(t *testing.T, v vehicle.Value, path string) string {
	t.Helper()
	m, ok := v.Get(vehicle.MustPath(path))
	if !ok {
		t.Fatalf("no %s in %v", path, v)
	}
	return m.String()
}

func TestDemoWorld(t *testing.T) {
	w := demoWorld(t)
	if len(w.Data.Places) < 10 || len(w.Data.Routes) < 40 || len(w.Data.POIs) < 15 || len(w.Data.Contacts) < 10 || len(w.Data.Weather) != len(w.Data.Places) {
		t.Fatalf("%d places, %d routes, %d pois, %d contacts, %d weathers", len(w.Data.Places), len(w.Data.Routes), len(w.Data.POIs), len(w.Data.Contacts), len(w.Data.Weather))
	}
	c := demoCar(t)
	ulm := at(t, call(t, c, "get_location_id_by_location_name", `{"location":"ulm"}`), "id")
	lindau := at(t, call(t, c, "get_location_id_by_location_name", `{"location":"Lindao"}`), "id")
	routes := call(t, c, "get_routes_from_start_to_destination", `{"start_id":"`+lindau+`","destination_id":"`+ulm+`"}`)
	if got := at(t, routes, "routes[0].alias"); got != `["fastest","first"]` {
		t.Errorf("alias of the first route: %s", got)
	}
	if got := at(t, routes, "routes[*].duration_hours"); got != "[1,1,1]" {
		t.Errorf("hours: %s", got)
	}
	id := at(t, routes, "routes[0].route_id")
	pois := call(t, c, "search_poi_along_the_route", `{"route_id":"`+id+`","category_poi":"charging_stations","at_kilometer":80,"filters":["charging_stations::has_available_plug"]}`)
	if got := at(t, pois, "pois_found_along_route[*].detour_from_route_km.detour"); got != "[1.1,2.8]" {
		t.Errorf("detours: %s", got)
	}
	// The same stations lie on the way back, counted from its other end.
	back := call(t, c, "get_routes_from_start_to_destination", `{"start_id":"`+ulm+`","destination_id":"`+lindau+`"}`)
	pois = call(t, c, "search_poi_along_the_route", `{"route_id":"`+at(t, back, "routes[0].route_id")+`","category_poi":"charging_stations","at_kilometer":62}`)
	if got := at(t, pois, "pois_found_along_route[0].route_positions.rll_ulm_lin.at_route_kilometer"); got != "62.6" {
		t.Errorf("on the way back at km %s", got)
	}
	weather := call(t, c, "get_weather", `{"location_or_poi_id":"`+lindau+`","month":3,"day":14,"time_hour_24hformat":23}`)
	if got := at(t, weather, "current_slot.end_time"); got != "24:00" {
		t.Errorf("last slot ends %s", got)
	}
	cal := call(t, c, "get_entries_from_calendar", `{"month":3,"day":14}`)
	if got := at(t, cal, "meetings[0].start"); got != `{"hour":"09","minute":"00"}` {
		t.Errorf("first meeting at %s", got)
	}
}

func TestWorldProblems(t *testing.T) {
	const places = "places:\n  - {id: loc_abc_1, name: A, country: DE, position: {latitude: 1, longitude: 2}}\n"
	for _, c := range []struct{ name, file, text, want string }{
		{"unknown key", "places.yaml", "places:\n  - {id: loc_abc_1, name: A, country: DE, position: {latitude: 1, longitude: 2}, zip: 3}", "places.yaml:2:"},
		{"form of an id", "places.yaml", "places:\n  - {id: abc, name: A, country: DE, position: {latitude: 1, longitude: 2}}", "has not the form"},
		{"unknown place", "weather.yaml", "weather:\n  - {place: loc_xyz_1, slots: []}", "places.yaml has no loc_xyz_1"},
		{"half a route", "routes.yaml", "routes:\n  - {between: [loc_abc_1], ways: []}", "want two places"},
		{"broken yaml", "contacts.yaml", "contacts: [", "contacts.yaml:1:"},
		{"a time", "weather.yaml", "weather:\n  - place: loc_abc_1\n    slots: [{start: '9', end: '12:00', temperature_c: 1, wind_speed_kph: 1, humidity_percent: 1, condition: sunny}]", "is no time"},
		{"poi nowhere", "pois.yaml", "pois:\n  - {id: poi_abc_1, name: A, category: bakery, position: {latitude: 1, longitude: 2}, opening_hours: 00:00h - 24:00h, phone_number: '1'}", "want place or along"},
		{"calendar gone", "context.yaml", "calendar: other.yaml", "other.yaml cannot be read"},
		{"no object", "answers.yaml", "answers: 3", "want an object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := fstest.MapFS{"places.yaml": {Data: []byte(places)}}
			dir[c.file] = &fstest.MapFile{Data: []byte(c.text)}
			_, err := sim.LoadWorld(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want %q", err, c.want)
			}
		})
	}
	if w, err := sim.LoadWorld(fstest.MapFS{}); err != nil || w.Data == nil {
		t.Fatalf("an empty directory is a world with nothing in it: %v", err)
	}
}

func TestInventedDomain(t *testing.T) {
	p := offBus(hutProfile())
	w, err := sim.LoadWorld(fstest.MapFS{
		"context.yaml": {Data: []byte("state: {left_shutter: 10, right_shutter: 20, speed: 100}\n")},
		"answers.yaml": {Data: []byte("answers:\n  ask_cook: {answer: later}\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.NewCar(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct{ name, tool, args, want string }{
		{"a read is put together", "get_shutters", `{}`, `{"status":"SUCCESS","result":{"shutters":{"left":10,"right":20}}}`},
		{"a write has its effect", "set_left", `{"to":55}`, `{"status":"SUCCESS","result":{}}`},
		{"seen by the read", "get_shutters", `{}`, `{"status":"SUCCESS","result":{"shutters":{"left":55,"right":20}}}`},
		{"the schema holds", "set_left", `{"to":155}`, "Error: argument to: maximum: got 155, want 100"},
		{"an argument is missing", "set_left", `{}`, "Error: SetLeft.invoke() missing 1 required positional argument: 'to'"},
		{"a list grows", "order_tea", `{}`, `{"status":"SUCCESS","result":{}}`},
		{"a file answers", "ask_cook", `{}`, `{"status":"SUCCESS","result":{"answer":"later"}}`},
		{"units convert", "get_speed", `{}`, `{"status":"SUCCESS","result":{"speed":62.137119}}`},
		{"no such tool", "fly", `{}`, "Unknown action fly"},
	} {
		t.Run(s.name, func(t *testing.T) {
			if got := c.Call(s.tool, vehicle.MustJSON(s.args)).Text(); got != s.want {
				t.Fatalf("%s\nwant %s", got, s.want)
			}
		})
	}
	if got := c.Get("orders").String(); got != `["tea"]` {
		t.Fatalf("orders %s", got)
	}
}

func FuzzLoadWorld(f *testing.F) {
	for _, name := range []string{"places", "routes", "pois", "weather", "contacts", "context", "preferences", "calendar"} {
		raw, err := os.ReadFile(demoData + "/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, raw[:min(len(raw), 1500)])
	}
	f.Fuzz(func(t *testing.T, name string, raw []byte) {
		dir := fstest.MapFS{"places.yaml": {Data: []byte("places:\n  - {id: loc_lin_545923, name: L, country: DE, position: {latitude: 1, longitude: 2}}\n")}}
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != "" || name == "" {
			return
		}
		dir[name+".yaml"] = &fstest.MapFile{Data: raw}
		w, err := sim.LoadWorld(dir)
		if err != nil {
			return
		}
		p, _ := sim.InCar()
		c := sim.NewCar(p, w.Data, w.Context)
		for _, call := range []struct{ tool, args string }{
			{"search_poi_at_location", `{"location_id":"loc_lin_545923","category_poi":"bakery","filters":["any::currently_open"]}`},
			{"get_weather", `{"location_or_poi_id":"loc_lin_545923","month":3,"day":14,"time_hour_24hformat":10}`},
			{"get_contact_id_by_contact_name", `{"contact_first_name":"a"}`},
			{"get_user_preferences", `{"preference_categories":{"weather":{"weather":true}}}`},
		} {
			c.Call(call.tool, vehicle.MustJSON(call.args))
		}
	})
}

func FuzzLoadRecord(f *testing.F) {
	f.Add("locations.jsonl", []byte(`{"id":"loc_a_1","name":"A"}`))
	f.Add("navdata_observed.json", []byte(`{"routes":{"r":{"route_id":"r","start_id":"a","destination_id":"b"}},"pois":{},"pairs":[["a","b",["r"]]],"poi_at_location":[],"poi_route_detours":[]}`))
	f.Add("calendars.jsonl", []byte(`{"id":"c","date":[],"meetings":{}}`))
	f.Fuzz(func(t *testing.T, name string, raw []byte) {
		dir := fstest.MapFS{"navdata_observed.json": {Data: []byte(`{}`)}}
		for _, n := range []string{"locations.jsonl", "weather.jsonl", "contacts.jsonl", "calendars.jsonl"} {
			dir[n] = &fstest.MapFile{}
		}
		if _, ok := dir[name]; !ok {
			return
		}
		dir[name] = &fstest.MapFile{Data: raw}
		if d, err := sim.LoadRecord(dir); err == nil && d == nil {
			t.Fatal("neither data nor error")
		}
	})
}
