// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

const (
	// around is how far, in km, a point of interest may lie from the
	// kilometre asked for.
	around = 25
	// mostAlong is how many points of interest a search along a route gives.
	mostAlong = 3
)

var categories = []string{"airports", "bakery", "fast_food", "parking", "public_toilets", "restaurants", "supermarkets", "charging_stations"}

func (c *Car) poisAtLocation(args vehicle.Value) (vehicle.Value, error) {
	id, category := text(args, "location_id"), text(args, "category_poi")
	if !isPlace(id) {
		return c.fail("SEARCH_POI_AT_LOC_001", "SearchPoiAtLocation_001: Invalid location_id format."), nil
	}
	keep, err := c.filters(args)
	if err != nil {
		return unscored("SEARCH_POI_AT_LOC_003", "SearchPoiAtLocation_003: "+err.Error()), nil
	}
	if c.Data.findPlace(id) == nil {
		return c.fail("SEARCH_POI_AT_LOC_004", fmt.Sprintf("SearchPoiAtLocation_004: Location '%s' not found.", id)), nil
	}
	found := []vehicle.Value{}
	for _, p := range c.Data.POIs {
		if p.Place == id && p.Category == category && keep(p) {
			found = append(found, p.Show)
		}
	}
	return success(object("pois_found", found)), nil
}

func (c *Car) poisAlongRoute(args vehicle.Value) (vehicle.Value, error) {
	id, category := text(args, "route_id"), text(args, "category_poi")
	km, hasKm := member(args, "at_kilometer").Float()
	fail := func(n, what string) (vehicle.Value, error) {
		return c.bareFail("SEARCH_POI_ATR_"+n, "SearchPoiAlongTheRoute_"+n+": "+what), nil
	}
	switch {
	case !isRoute(id):
		return c.fail("SEARCH_POI_ATR_002", "SearchPoiAlongTheRoute_002: Invalid route_id format."), nil
	case !slices.Contains(categories, category):
		return fail("003", "Invalid category_poi.")
	case category == "charging_stations" && !hasKm:
		return fail("007", "'at_kilometer' is required when searching for charging_station POIs.")
	case c.Data.findRoute(id) == nil:
		return fail("004", fmt.Sprintf("Route '%s' not found.", id))
	case !strings.HasPrefix(id, "rll_"):
		return fail("006", "The route must lead from a location to a location.")
	}
	keep, err := c.filters(args)
	if err != nil {
		return unscored("SEARCH_POI_ATR_006", "SearchPoiAlongTheRoute_006: "+err.Error()).Without("status"), nil
	}
	type hit struct {
		at, minutes, km float64
		show            vehicle.Value
	}
	var hits []hit
	for _, p := range c.Data.POIs {
		at, ok := p.At[id]
		if !ok {
			at, ok = p.At[stem(id)]
		}
		if p.Category != category || !ok || !slices.Contains(p.OnRoutes, id) || !keep(p) || hasKm && math.Abs(at-km) > around {
			continue
		}
		h := hit{at: at, show: p.Show}
		if d := c.Data.detour(id, p.ID); d.Kind() == vehicle.Object {
			t := member(d, "detour_from_route_time")
			h.minutes = 60*number(t, "hour") + number(t, "minutes")
			h.km = number(member(d, "detour_from_route_km"), "detour")
			for i := range d.Len() {
				h.show = h.show.With(d.NameAt(i), d.At(i))
			}
		}
		hits = append(hits, h)
	}
	byKm := slices.Contains(texts(member(args, "filters")), "any::sort_by_distance")
	slices.SortStableFunc(hits, func(a, b hit) int {
		d := a.minutes - b.minutes
		if byKm {
			d = a.km - b.km
		}
		if d == 0 {
			d = a.at - b.at
		}
		return int(math.Copysign(math.Ceil(math.Abs(d)), d))
	})
	found := []vehicle.Value{}
	for _, h := range hits[:min(len(hits), mostAlong)] {
		found = append(found, h.show)
	}
	return success(object("pois_found_along_route", found)), nil
}

// filters returns the test that the filter argument asks for.
func (c *Car) filters(args vehicle.Value) (func(POI) bool, error) {
	var tests []func(POI) bool
	for _, v := range member(args, "filters").Items() {
		switch v.String() {
		case "any::currently_open":
			tests = append(tests, func(p POI) bool { return open(p.Opens, c.ctx.Now.minutes()) })
		case "any::sort_by_distance":
		case "charging_stations::has_available_plug":
			tests = append(tests, func(p POI) bool {
				return slices.ContainsFunc(p.Plugs, func(g Plug) bool { return g.Availability == "available" })
			})
		case "charging_stations::has_dc_plug":
			tests = append(tests, func(p POI) bool {
				return slices.ContainsFunc(p.Plugs, func(g Plug) bool { return g.Type == "DC" })
			})
		default:
			return nil, fmt.Errorf("Invalid filter %s.", v) //nolint:revive,staticcheck // part of a recorded text
		}
	}
	return func(p POI) bool {
		return !slices.ContainsFunc(tests, func(t func(POI) bool) bool { return !t(p) })
	}, nil
}

// open reports whether "10:00h - 20:00h" includes the minute of the day.
// Hours that end before they begin run past midnight; unreadable ones are
// closed.
func open(hours string, minute int) bool {
	from, to, ok := strings.Cut(hours, " - ")
	a, ok1 := clock(from)
	b, ok2 := clock(to)
	switch {
	case !ok || !ok1 || !ok2:
		return false
	case b < a:
		return minute >= a || minute <= b
	}
	return minute >= a && minute <= b
}

// clock reads "10:00" or "10:00h" as minutes since midnight, 24:00 included.
func clock(s string) (int, bool) {
	h, m, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(s), "h"), ":")
	hh, err1 := strconv.Atoi(h)
	mm, err2 := strconv.Atoi(m)
	if !ok || err1 != nil || err2 != nil || hh < 0 || mm < 0 || mm > 59 || 60*hh+mm > 24*60 {
		return 0, false
	}
	return 60*hh + mm, true
}
