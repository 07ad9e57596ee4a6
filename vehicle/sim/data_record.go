// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"fmt"
	"io/fs"

	"github.com/carguardd/carguardd/vehicle"
)

// LoadRecord reads the data of a recorded benchmark: locations, weather,
// contacts and calendars as JSON lines, routes and points of interest as they
// were seen in recorded results (navdata_observed.json). An error names file
// and line.
func LoadRecord(dir fs.FS) (*Data, error) {
	d := &Data{Weather: map[string][]vehicle.Value{}, Calendars: map[string]Calendar{}}
	for _, f := range []struct {
		name string
		add  func(v vehicle.Value) error
	}{
		{"locations.jsonl", d.addPlace},
		{"weather.jsonl", d.addWeather},
		{"contacts.jsonl", d.addContact},
		{"calendars.jsonl", d.addCalendar},
	} {
		if err := EachLine(dir, f.name, f.add); err != nil {
			return nil, err
		}
	}
	raw, err := fs.ReadFile(dir, "navdata_observed.json")
	if err != nil {
		return nil, fmt.Errorf("read data: %w", err)
	}
	nav, err := vehicle.ParseJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("navdata_observed.json: %w", err)
	}
	if err := d.addObserved(nav); err != nil {
		return nil, fmt.Errorf("navdata_observed.json: %w", err)
	}
	d.index()
	return d, d.addPairs(member(nav, "pairs"))
}

// EachLine reads a file with one JSON value a line and calls add for each. An
// error names the file and the line.
func EachLine(dir fs.FS, name string, add func(vehicle.Value) error) error {
	raw, err := fs.ReadFile(dir, name)
	if err != nil {
		return fmt.Errorf("read data: %w", err)
	}
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		v, err := vehicle.ParseJSON(line)
		if err == nil {
			err = add(v)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return nil
}

// need returns the text members, and an error naming those that are missing.
func need(v vehicle.Value, names ...string) error {
	for _, n := range names {
		if text(v, n) == "" {
			return fmt.Errorf("member %s is missing or no text", n)
		}
	}
	return nil
}

func (d *Data) addPlace(v vehicle.Value) error {
	d.Places = append(d.Places, Place{ID: text(v, "id"), Name: text(v, "name"), Show: v})
	return need(v, "id", "name")
}

func (d *Data) addWeather(v vehicle.Value) error {
	d.Weather[text(v, "location_id")] = member(v, "weather").Items()
	return need(v, "location_id")
}

func (d *Data) addContact(v vehicle.Value) error {
	name := member(v, "name")
	d.Contacts = append(d.Contacts, Contact{ID: text(v, "id"), First: text(name, "first_name"),
		Last: text(name, "last_name"), Email: text(v, "email"), Show: v})
	return need(v, "id")
}

func (d *Data) addCalendar(v vehicle.Value) error {
	day := member(v, "date")
	d.Calendars[text(v, "id")] = Calendar{
		Date:     DateTime{Year: int(number(day, "year")), Month: int(number(day, "month")), Day: int(number(day, "day"))},
		Meetings: member(v, "meetings").Items()}
	return need(v, "id")
}

func (d *Data) addRoute(v vehicle.Value) error {
	d.Routes = append(d.Routes, Route{ID: text(v, "route_id"), Start: text(v, "start_id"), Dest: text(v, "destination_id"),
		Km: number(v, "distance_km"), Minutes: 60*number(v, "duration_hours") + number(v, "duration_minutes"), Show: v})
	return need(v, "route_id", "start_id", "destination_id")
}

func (d *Data) addPOI(v vehicle.Value) error {
	p := POI{ID: text(v, "id"), Category: text(v, "category"), Place: text(v, "corresponding_location_id"),
		OnRoutes: texts(member(v, "corresponding_route_ids")), Opens: text(v, "opening_hours"), Show: v, At: map[string]float64{}}
	at := member(v, "route_positions")
	for i := range at.Len() {
		if at.Kind() == vehicle.Object {
			p.At[at.NameAt(i)] = number(at.At(i), "at_route_kilometer")
		}
	}
	for _, g := range member(v, "charging_plugs").Items() {
		p.Plugs = append(p.Plugs, Plug{ID: text(g, "plug_id"), Type: text(g, "power_type"),
			Availability: text(g, "availability"), KW: number(g, "power_kw")})
	}
	d.POIs = append(d.POIs, p)
	return need(v, "id", "category")
}

// addObserved takes points of interest at a place in the order in which a
// search there returned them.
func (d *Data) addObserved(nav vehicle.Value) error {
	routes, pois := member(nav, "routes"), member(nav, "pois")
	for i := range routes.Len() {
		if err := d.addRoute(routes.At(i)); err != nil {
			return fmt.Errorf("routes[%d]: %w", i, err)
		}
	}
	done := map[string]bool{}
	for _, at := range member(nav, "poi_at_location").Items() {
		if at.Len() < 3 {
			continue
		}
		for _, id := range texts(at.At(2)) {
			if v, ok := pois.Member(id); ok && !done[id] {
				done[id] = true
				if err := d.addPOI(v); err != nil {
					return fmt.Errorf("pois.%s: %w", id, err)
				}
			}
		}
	}
	for i := range pois.Len() {
		if id := text(pois.At(i), "id"); !done[id] {
			if err := d.addPOI(pois.At(i)); err != nil {
				return fmt.Errorf("pois[%d]: %w", i, err)
			}
		}
	}
	d.detours = map[[2]string]vehicle.Value{}
	for _, t := range member(nav, "poi_route_detours").Items() {
		if t.Len() < 3 {
			continue
		}
		r, p := t.At(0).String(), t.At(1).String()
		d.detours[[2]string{r, p}] = t.At(2)
		d.detours[[2]string{stem(r), p}] = t.At(2)
	}
	return nil
}

// addPairs says which routes a search for a start and destination returns: a
// route that was only ever seen in a navigation state is in none.
func (d *Data) addPairs(pairs vehicle.Value) error {
	d.pairs = map[[2]string][]int{}
	for i, p := range pairs.Items() {
		if p.Len() < 3 {
			return fmt.Errorf("navdata_observed.json: pairs[%d]: want start, destination, routes", i)
		}
		k := [2]string{p.At(0).String(), p.At(1).String()}
		for _, id := range texts(p.At(2)) {
			r, ok := d.route[id]
			if !ok {
				return fmt.Errorf("navdata_observed.json: pairs[%d]: unknown route %s", i, id)
			}
			d.pairs[k] = append(d.pairs[k], r)
		}
	}
	return nil
}
