// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"

	"github.com/carguardd/carguardd/vehicle"
)

func (c *Car) findRoutes(args vehicle.Value) (vehicle.Value, error) {
	start, dest := text(args, "start_id"), text(args, "destination_id")
	switch {
	case !isStop(start):
		return c.fail("GET_ROUTES_001", "GetRoutes_001: Invalid start_id format."), nil
	case !isStop(dest):
		return c.fail("GET_ROUTES_002", "GetRoutes_002: Invalid destination_id format."), nil
	case isPOI(start) && isPOI(dest):
		return c.fail("GET_ROUTES_003", "GetRoutes_003: Routes from one point of interest to another are not supported."), nil
	}
	routes := []vehicle.Value{}
	for _, i := range c.Data.pairs[[2]string{start, dest}] {
		routes = append(routes, c.Data.Routes[i].Show)
	}
	if len(routes) > 0 {
		return success(object("routes", routes)), nil
	}
	if start != dest && c.Data.known(start) && c.Data.known(dest) {
		c.gaps = append(c.gaps, "routes from "+start+" to "+dest)
	}
	code := "GET_ROUTES_004"
	switch {
	case isPOI(dest):
		code = "GET_ROUTES_005"
	case isPOI(start):
		code = "GET_ROUTES_006"
	}
	kind := func(id string) string {
		if isPOI(id) {
			return "poi"
		}
		return "location"
	}
	return c.fail(code, fmt.Sprintf("No routes found between %s '%s' and %s '%s'.", kind(start), start, kind(dest), dest)), nil
}

// convertRoute converts a time on the way to a distance or back, as if the
// whole route were driven at one speed.
func (c *Car) convertRoute(args vehicle.Value) (vehicle.Value, error) {
	fail := func(n, what string) (vehicle.Value, error) {
		return c.fail("CONVERT_RTDT_"+n, "ConvertRouteDistanceAndTime_"+n+": "+what), nil
	}
	id := text(args, "route_id")
	minutes, hasTime := member(args, "time_minutes").Float()
	km, hasKm := member(args, "distance_km").Float()
	switch {
	case !isRoute(id):
		return fail("001", "Invalid route_id format.")
	case hasTime && hasKm:
		return fail("002", "Give either time_minutes or distance_km, not both.")
	case !hasTime && !hasKm:
		return fail("003", "Give time_minutes or distance_km.")
	}
	r := c.Data.findRoute(id)
	switch {
	case r == nil:
		return fail("004", fmt.Sprintf("Route '%s' not found.", id))
	case r.Km <= 0 || r.Minutes <= 0:
		return fail("011", "Invalid route data.")
	case hasTime && minutes > r.Minutes:
		return fail("005", "time_minutes is longer than the route takes.")
	case hasKm && km > r.Km:
		return fail("006", "distance_km is longer than the route.")
	case hasTime:
		return success(object("distance_km", round(minutes/r.Minutes*r.Km, 1))), nil
	}
	return success(object("time_minutes", round(km/r.Km*r.Minutes, 1))), nil
}

// round rounds to decimals, halves to even.
func round(f float64, decimals int) float64 {
	p := math.Pow10(decimals)
	return math.RoundToEven(f*p) / p
}
