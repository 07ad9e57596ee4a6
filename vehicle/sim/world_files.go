// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

func (r *worldReader) readPlaces(n *vehicle.Node) {
	r.keys(n, "places")
	for _, e := range r.items(n, "places") {
		if !r.keys(e, "id", "name", "country", "position") {
			continue
		}
		p := Place{ID: r.id(e, "id", isPlace), Name: r.text(e, "name")}
		if r.places[p.ID] {
			r.wrong(e, "place %s is there already", p.ID)
		}
		r.places[p.ID] = true
		p.Show = object("id", p.ID, "name", p.Name, "position", r.position(e), "iso2", r.text(e, "country"))
		r.data.Places = append(r.data.Places, p)
	}
}

func (r *worldReader) readRoutes(n *vehicle.Node) {
	r.keys(n, "routes")
	for _, e := range r.items(n, "routes") {
		if !r.keys(e, "between", "ways") {
			continue
		}
		ends := texts(e.Member("between").Value())
		if len(ends) != 2 || !r.places[ends[0]] || !r.places[ends[1]] {
			r.wrong(e, "between: want two places of places.yaml")
			continue
		}
		r.readWays(e, ends[0], ends[1])
	}
}

// readWays adds the alternatives between two ends, both directions of each.
func (r *worldReader) readWays(n *vehicle.Node, from, to string) {
	var there, back []Route
	for _, w := range r.items(n, "ways") {
		if !r.keys(w, "there", "back", "via", "km", "minutes", "roads", "toll") {
			continue
		}
		a := Route{ID: r.id(w, "there", isRoute), Start: from, Dest: to, Km: r.number(w, "km"), Minutes: r.number(w, "minutes")}
		b := Route{ID: r.id(w, "back", isRoute), Start: to, Dest: from, Km: a.Km, Minutes: a.Minutes}
		if a.Km <= 0 || a.Minutes <= 0 {
			r.wrong(w, "km and minutes must be above 0")
		}
		toll := false
		if m := w.Member("toll"); m != nil {
			toll, _ = m.Scalar.Truth()
		}
		roads := texts(w.Member("roads").Value())
		if toll {
			roads = append(roads, "includes toll road")
		}
		slices.Sort(roads)
		for _, x := range []*Route{&a, &b} {
			x.Show = object("route_id", x.ID, "start_id", x.Start, "destination_id", x.Dest, "name_via", r.text(w, "via"),
				"distance_km", x.Km, "duration_hours", float64(int(x.Minutes)/60), "duration_minutes", float64(int(x.Minutes)%60),
				"road_types", roads, "includes_toll", toll)
			if r.ways[x.ID] != nil {
				r.wrong(w, "route %s is there already", x.ID)
			}
			r.ways[x.ID] = x
		}
		r.twin[a.ID], r.twin[b.ID] = b.ID, a.ID
		there, back = append(there, a), append(back, b)
	}
	r.data.Routes = append(append(r.data.Routes, named(there)...), named(back)...)
}

// named orders alternatives by time and gives each its aliases.
func named(l []Route) []Route {
	slices.SortStableFunc(l, func(a, b Route) int { return cmp.Compare(a.Minutes, b.Minutes) })
	shortest := 0
	for i := range l {
		if l[i].Km < l[shortest].Km {
			shortest = i
		}
	}
	for i := range l {
		var alias []string
		if i == 0 {
			alias = append(alias, "fastest")
		}
		if ordinals := []string{"first", "second", "third"}; i < len(ordinals) {
			alias = append(alias, ordinals[i])
		}
		if i == shortest {
			alias = append(alias, "shortest")
		}
		l[i].Show = l[i].Show.With("alias", value(alias))
	}
	return l
}

func (r *worldReader) readPOIs(n *vehicle.Node) {
	r.keys(n, "pois")
	r.data.detours = map[[2]string]vehicle.Value{}
	for _, e := range r.items(n, "pois") {
		if r.keys(e, "id", "name", "category", "position", "opening_hours", "phone_number", "place", "along", "plugs", "routes") {
			r.readPOI(e)
		}
	}
}

func (r *worldReader) readPOI(e *vehicle.Node) {
	p := POI{ID: r.id(e, "id", isPOI), Category: r.text(e, "category"), Opens: r.text(e, "opening_hours"), At: map[string]float64{}}
	if !slices.Contains(categories, p.Category) {
		r.wrong(e, "category %q is none of %v", p.Category, categories)
	}
	p.Show = object("id", p.ID, "name", r.text(e, "name"), "category", p.Category, "position", r.position(e),
		"opening_hours", p.Opens, "phone_number", r.text(e, "phone_number"))
	switch {
	case e.Member("place") != nil:
		p.Place = r.place(e, "place")
		p.Show = p.Show.With("corresponding_location_id", value(p.Place))
	case e.Member("along") != nil:
		at := object()
		for _, a := range r.items(e, "along") {
			if r.keys(a, "route", "at_kilometer", "detour_km", "detour_minutes") {
				at = r.readAlong(a, &p, at)
			}
		}
		p.Show = p.Show.With("corresponding_route_ids", value(p.OnRoutes)).With("route_positions", at)
	default:
		r.wrong(e, "want place or along")
	}
	plugs := []vehicle.Value{}
	for _, g := range r.items(e, "plugs") {
		if !r.keys(g, "id", "power_type", "power_kw", "availability") {
			continue
		}
		x := Plug{ID: r.id(g, "id", isPlug), Type: r.text(g, "power_type"), KW: r.number(g, "power_kw"), Availability: r.text(g, "availability")}
		p.Plugs = append(p.Plugs, x)
		plugs = append(plugs, object("plug_id", x.ID, "power_type", x.Type, "power_kw", x.KW, "availability", x.Availability))
	}
	if p.Category == "charging_stations" {
		p.Show = p.Show.With("charging_plugs", value(plugs))
	}
	r.data.POIs = append(r.data.POIs, p)
	for _, w := range r.items(e, "routes") {
		if r.keys(w, "place", "ways") {
			r.readWays(w, r.place(w, "place"), p.ID)
		}
	}
}

// readAlong notes that the point lies along a way, and along its way back at
// the same spot.
func (r *worldReader) readAlong(a *vehicle.Node, p *POI, at vehicle.Value) vehicle.Value {
	id, km := r.text(a, "route"), r.number(a, "at_kilometer")
	way := r.ways[id]
	if way == nil {
		r.wrong(a, "routes.yaml has no route %s", id)
		return at
	}
	minutes := r.number(a, "detour_minutes")
	detour := object("detour_from_route_km", object("detour", r.number(a, "detour_km"), "unit", "km"),
		"detour_from_route_time", object("hour", float64(int(minutes)/60), "minutes", float64(int(minutes)%60)))
	add := func(route string, km float64) {
		p.OnRoutes = append(p.OnRoutes, route)
		p.At[route] = km
		r.data.detours[[2]string{route, p.ID}] = detour
		at = at.With(stem(route), object("at_route_kilometer", km))
	}
	add(id, km)
	add(r.twin[id], round(way.Km-km, 1))
	return at
}

func (r *worldReader) readWeather(n *vehicle.Node) {
	r.keys(n, "weather")
	for _, e := range r.items(n, "weather") {
		if !r.keys(e, "place", "slots") {
			continue
		}
		var slots []vehicle.Value
		for _, s := range r.items(e, "slots") {
			if !r.keys(s, "start", "end", "temperature_c", "wind_speed_kph", "humidity_percent", "condition") {
				continue
			}
			from, to := r.text(s, "start"), r.text(s, "end")
			if a, ok1 := clock(from); ok1 {
				if b, ok2 := clock(to); !ok2 || b <= a {
					r.wrong(s, "end %q is no time after start", to)
				}
			} else {
				r.wrong(s, "start %q is no time", from)
			}
			slots = append(slots, object("start_time", from, "end_time", to, "temperature_c", r.number(s, "temperature_c"),
				"wind_speed_kph", r.number(s, "wind_speed_kph"), "humidity_percent", r.number(s, "humidity_percent"),
				"condition", r.text(s, "condition")))
		}
		r.data.Weather[r.place(e, "place")] = slots
	}
}

func (r *worldReader) readContacts(n *vehicle.Node) {
	r.keys(n, "contacts")
	for _, e := range r.items(n, "contacts") {
		if !r.keys(e, "id", "first_name", "last_name", "phone_number", "email") {
			continue
		}
		p := Contact{ID: r.id(e, "id", isContact), First: r.text(e, "first_name"), Last: r.text(e, "last_name"), Email: r.text(e, "email")}
		p.Show = object("id", p.ID, "name", object("first_name", p.First, "last_name", p.Last),
			"phone_number", r.text(e, "phone_number"), "email", p.Email)
		r.data.Contacts = append(r.data.Contacts, p)
	}
}

func (r *worldReader) readCalendar(n *vehicle.Node) {
	r.keys(n, "entries")
	var c Calendar
	for _, e := range r.items(n, "entries") {
		if !r.keys(e, "start", "minutes", "location", "attendees", "topic") {
			continue
		}
		start := r.text(e, "start")
		if _, ok := clock(start); !ok {
			r.wrong(e, "start %q is no time", start)
		}
		hour, minute, _ := strings.Cut(start, ":")
		attendees := []string{}
		for _, a := range r.items(e, "attendees") {
			attendees = append(attendees, a.Scalar.String())
		}
		c.Meetings = append(c.Meetings, object("start", object("hour", hour, "minute", minute),
			"duration", fmt.Sprintf("%gmin", r.number(e, "minutes")), "location", r.text(e, "location"),
			"attendees", attendees, "topic", r.text(e, "topic")))
	}
	r.data.Calendars[""] = c
}

func (r *worldReader) readPreferences(n *vehicle.Node) {
	r.keys(n, "preferences")
	r.world.Context.Preferences = n.Member("preferences").Value()
}

func (r *worldReader) readContext(n *vehicle.Node) {
	r.keys(n, "here", "now", "calendar", "charging_curve", "state")
	c := &r.world.Context
	if n.Member("here") != nil {
		id := r.place(n, "here")
		for _, p := range r.data.Places {
			if p.ID == id {
				c.Here = p.Show.Without("iso2")
			}
		}
	}
	if now := n.Member("now"); now != nil && r.keys(now, "year", "month", "day", "hour", "minute") {
		c.Now = DateTime{int(r.number(now, "year")), int(r.number(now, "month")), int(r.number(now, "day")),
			int(r.number(now, "hour")), int(r.number(now, "minute"))}
	}
	if n.Member("calendar") != nil {
		name := r.text(n, "calendar")
		if f := r.file(name); f != nil {
			r.readCalendar(f)
		} else {
			r.wrong(n.Member("calendar"), "file %s cannot be read", name)
		}
	}
	for _, p := range r.items(n, "charging_curve") {
		if r.keys(p, "until_soc", "power") {
			c.Battery.Curve = append(c.Battery.Curve, CurvePoint{r.number(p, "until_soc"), r.number(p, "power")})
		}
	}
	if s := n.Member("state"); s != nil {
		r.world.State = s.Value()
	}
}

func (r *worldReader) readAnswers(n *vehicle.Node) {
	r.keys(n, "answers")
	m := n.Member("answers")
	if m == nil || m.Kind != vehicle.Object {
		r.wrong(n, "answers: want an object of tool and result")
		return
	}
	r.world.Answers = map[string]vehicle.Value{}
	for _, a := range m.Members {
		r.world.Answers[a.Name] = a.Value.Value()
	}
}
