// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

func (c *Car) addWaypoint(args vehicle.Value) (vehicle.Value, error) {
	fail := func(n, format string, a ...any) (vehicle.Value, error) {
		return c.bareFail("NAV_ADD_WP_"+n, "NavigationAddOneWaypoint_"+n+": "+fmt.Sprintf(format, a...)), nil
	}
	id, prev, next := text(args, "waypoint_id_to_add"), text(args, "waypoint_id_before_new_waypoint"), text(args, "waypoint_id_after_new_waypoint")
	to, away := text(args, "route_id_leading_to_new_waypoint"), text(args, "route_id_leading_away_from_new_waypoint")
	it := c.itinerary()
	switch {
	case !isStop(id):
		return fail("001", "Invalid waypoint_id_to_add format.")
	case !isStop(prev):
		return fail("002", "Invalid waypoint_id_before_new_waypoint format.")
	case next != "" && !isStop(next):
		return fail("003", "Invalid waypoint_id_after_new_waypoint format.")
	case !isRoute(to):
		return fail("004", "Invalid route_id_leading_to_new_waypoint format.")
	case away != "" && !isRoute(away):
		return fail("005", "Invalid route_id_leading_away_from_new_waypoint format.")
	case !it.active:
		c.inactive()
		return fail("006", "Navigation is not active.")
	}
	i := slices.Index(it.waypoints, prev)
	last := i == len(it.waypoints)-1
	appending := next == "" && away == "" && last
	switch {
	case i < 0:
		return fail("007", "Waypoint '%s' is not on the route.", prev)
	case !appending && (next == "" || away == ""):
		return fail("008", "The waypoint after the new one and the route to it are needed unless it becomes the destination.")
	case !appending && (last || it.waypoints[i+1] != next):
		return fail("009", "Waypoint '%s' does not follow '%s'.", next, prev)
	}
	lead, leave := c.Data.findRoute(to), c.Data.findRoute(away)
	switch {
	case lead == nil:
		return fail("009", "Route '%s' not found.", to)
	case !appending && leave == nil:
		return fail("010", "Route '%s' not found.", away)
	case lead.Start != prev:
		return fail("011", "Route '%s' does not start at '%s'.", to, prev)
	case lead.Dest != id:
		return fail("012", "Route '%s' does not end at '%s'.", to, id)
	case !appending && leave.Start != id:
		return fail("013", "Route '%s' does not start at '%s'.", away, id)
	case !appending && leave.Dest != next:
		return fail("014", "Route '%s' does not end at '%s'.", away, next)
	}
	it.waypoints = slices.Insert(it.waypoints, i+1, id)
	if appending {
		it.routes = append(it.routes, to)
	} else {
		it.routes = splice(it.routes, i, 1, to, away)
	}
	c.navigate(it)
	return success(object("waypoint_added", true, "new_waypoints_id", it.waypoints, "new_routes_id", it.routes)), nil
}

func (c *Car) replaceWaypoint(args vehicle.Value) (vehicle.Value, error) {
	fail := func(n, what string) (vehicle.Value, error) {
		return c.fail("NAVIGATION_REPLACE_ONE_WAYPOINT_"+n, "NavigationReplaceOneWaypoint_"+n+": Invalid "+what+"."), nil
	}
	old, id := text(args, "waypoint_id_to_replace"), text(args, "new_waypoint_id")
	to, away := text(args, "route_id_leading_to_new_waypoint"), text(args, "route_id_leading_away_from_new_waypoint")
	it := c.itinerary()
	switch {
	case !isStop(old):
		return fail("001", "waypoint_id_to_replace format")
	case !isStop(id):
		return fail("002", "new_waypoint_id format")
	case !isRoute(to):
		return fail("003", "route_id_to_waypoint format")
	case !isRoute(away):
		return fail("004", "route_id_from_waypoint format")
	case !it.active:
		c.inactive()
		return fail("005", "edit - navigation is not active")
	}
	lead, leave := c.Data.findRoute(to), c.Data.findRoute(away)
	i, n := slices.Index(it.waypoints, old), len(it.waypoints)
	switch {
	case lead == nil:
		return fail("006", "route_id_to_waypoint - route not found")
	case leave == nil:
		return fail("007", "route_id_from_waypoint - route not found")
	case lead.Dest != id:
		return fail("008", "route_id_to_waypoint - destination of route does not match new waypoint")
	case leave.Start != id:
		return fail("009", "route_id_from_waypoint - start of route does not match new waypoint")
	case n > 0 && (id == it.waypoints[0] || id == it.waypoints[n-1]):
		return fail("010", "new_waypoint_id - equals start or destination")
	case i < 0:
		return fail("011", "waypoint_id_to_replace - waypoint not found")
	case lead.Start != before(it.waypoints, i):
		return fail("012", "route_id_to_waypoint - start of route does not match previous waypoint")
	case i == n-1:
		return vehicle.Value{}, errIndex
	case leave.Dest != it.waypoints[i+1]:
		return fail("013", "route_id_from_waypoint - destination of route does not match next waypoint")
	}
	it.waypoints[i] = id
	it.routes = splice(it.routes, i-1, 2, to, away)
	c.navigate(it)
	return it.edited("waypoint_replaced"), nil
}

func (c *Car) replaceDestination(args vehicle.Value) (vehicle.Value, error) {
	// Codes and the numbers in the texts differ in the recorded car.
	fail := func(n, m, what string) (vehicle.Value, error) {
		return c.fail("NAVIGATION_REPLACE_ONE_WAYPOINT_"+n, "NavigationReplaceFinalDestination_"+m+": Invalid "+what+"."), nil
	}
	id, route := text(args, "new_destination_id"), text(args, "route_id_leading_to_new_destination")
	it := c.itinerary()
	switch {
	case !isStop(id):
		return fail("001", "001", "new_destination_id format")
	case !isRoute(route):
		return fail("002", "002", "route_id_to_waypoint format")
	case !it.active:
		c.inactive()
		return fail("003", "003", "edit - navigation is not active")
	}
	r, n := c.Data.findRoute(route), len(it.waypoints)
	switch {
	case r == nil:
		return fail("005", "004", "route_id_to_waypoint - route not found")
	case r.Dest != id:
		return fail("006", "005", "route_id_to_waypoint - destination of route does not match new destination")
	case n < 2:
		return vehicle.Value{}, errIndex
	case id == it.waypoints[0]:
		return fail("008", "006", "new_destination_id - equals start")
	case r.Start != it.waypoints[n-2]:
		return fail("010", "007", "route_id_to_waypoint - start of route does not match waypoint")
	}
	it.waypoints[n-1] = id
	it.routes = splice(it.routes, len(it.routes)-1, 1, route)
	c.navigate(it)
	return it.edited("destination_replaced"), nil
}
