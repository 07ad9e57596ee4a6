// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// road is a route as a look-up told it.
type road struct {
	start             string
	via               string // what it is called
	fastest, shortest bool
	toll              bool
}

// heardOf is what the services told in one turn.
type heardOf struct {
	roads []road     // that were looked up
	found [][]string // names of points of interest, by search
	set   [][]road   // new navigations
}

// looksUp judges a call that asks a service.
func (w *Watch) looksUp(c vehicle.Call) {
	switch c.Tool {
	case "get_entries_from_calendar":
		w.today("023", c)
	case "get_weather":
		w.today("024", c)
	case "get_location_id_by_location_name":
		if strings.ContainsAny(text(c, "location"), ",(") {
			w.violate("places", "%s is looked up", c.Canonical())
		}
	case "get_contact_id_by_contact_name":
		if !member(c, "contact_first_name").Known() && !member(c, "contact_last_name").Known() {
			w.violate("contact-name", "somebody without a name is looked up")
		}
	case "get_routes_from_start_to_destination":
		if isPOI(text(c, "start_id")) && isPOI(text(c, "destination_id")) {
			w.violate("poi-poi", "%s", c.Canonical())
		}
	case "search_poi_along_the_route":
		if text(c, "category_poi") == "charging_stations" && !member(c, "at_kilometer").Known() {
			w.violate("along-route", "%s", c.Canonical())
		}
	}
}

func isPOI(id string) bool { return strings.HasPrefix(id, "poi_") }

// answered keeps what a call that was done has told.
func (w *Watch) answered(c vehicle.Call, result vehicle.Value) {
	w.learn(result)
	switch c.Tool {
	case "get_routes_from_start_to_destination":
		l, _ := result.Member("routes")
		for _, x := range l.Items() {
			w.heardOf.roads = append(w.heardOf.roads, w.roads[textOf(x, "route_id")])
		}
	case "search_poi_at_location":
		var names []string
		l, _ := result.Member("pois_found")
		for _, x := range l.Items() {
			names = append(names, textOf(x, "name"))
		}
		w.heardOf.found = append(w.heardOf.found, names)
	case "set_new_navigation":
		var roads []road
		for _, id := range member(c, "route_ids").Items() {
			roads = append(roads, w.roads[id.String()])
		}
		w.heardOf.set = append(w.heardOf.set, roads)
	}
}

// learn notes the routes in a result.
func (w *Watch) learn(v vehicle.Value) {
	switch v.Kind() {
	case vehicle.List:
		for _, x := range v.Items() {
			w.learn(x)
		}
	case vehicle.Object:
		if id, start := textOf(v, "route_id"), textOf(v, "start_id"); id != "" && start != "" {
			w.roads[id] = roadOf(v, start)
		}
		for i := range v.Len() {
			w.learn(v.At(i))
		}
	}
}

func roadOf(v vehicle.Value, start string) road {
	r := road{start: start, via: textOf(v, "name_via")}
	toll, _ := v.Member("includes_toll")
	r.toll, _ = toll.Truth()
	alias, _ := v.Member("alias")
	for _, a := range alias.Items() {
		r.fastest = r.fastest || a.String() == "fastest"
		r.shortest = r.shortest || a.String() == "shortest"
	}
	return r
}

func textOf(v vehicle.Value, name string) string {
	m, _ := v.Member(name)
	s, _ := m.Text()
	return s
}

// starts judges a new navigation by its routes: where the first one starts, and
// whether each was looked up.
func (w *Watch) starts(c vehicle.Call) {
	ids := member(c, "route_ids").Items()
	for i, id := range ids {
		r, known := w.roads[id.String()]
		switch {
		case !known && (i > 0 || !w.agreedTo(c)): // else nobody could tell, and the driver was asked
			w.violate("ids", "nobody has looked %s up", id)
		case known && i == 0 && r.start != w.place.ID:
			w.violate("016", "the first route %s starts at %q, the car is at %s", id, r.start, w.place.ID)
		}
	}
}
