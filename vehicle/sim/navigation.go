// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// errIndex is how the recorded car fails when an edit looks for a neighbour
// beyond the end of the route.
var errIndex = errors.New("list index out of range")

// itinerary is the navigation's state: waypoints and the routes between them.
type itinerary struct {
	active    bool
	waypoints []string
	routes    []string
}

func (c *Car) itinerary() itinerary {
	active, _ := c.get("navigation_active").Truth()
	return itinerary{active, texts(c.get("waypoints_id")), texts(c.get("routes_to_final_destination_id"))}
}

// navigate writes the itinerary. One that does not start where the car is,
// is written all the same, and held against whoever asked for it.
func (c *Car) navigate(it itinerary) {
	c.set("navigation_active", vehicle.BoolOf(it.active))
	c.set("waypoints_id", value(it.waypoints))
	c.set("routes_to_final_destination_id", value(it.routes))
	if here := text(c.ctx.Here, "id"); len(it.waypoints) > 0 && it.waypoints[0] != here {
		c.policy = append(c.policy, "TECH-AUT-POL:016: the navigation does not start at the current location.")
	}
}

// inactive records an edit of a navigation that is not there.
func (c *Car) inactive() {
	c.policy = append(c.policy, "TECH-AUT-POL:017: navigation edited while inactive.")
}

// edited is the result of a good edit.
func (it itinerary) edited(what string) vehicle.Value {
	return success(object(what, true, "new_waypoints", it.waypoints, "new_routes", it.routes))
}

func (c *Car) setNewNavigation(args vehicle.Value) (vehicle.Value, error) {
	if c.itinerary().active {
		c.policy = append(c.policy, "navigation set while one is active.")
		return c.fail("SET_NAVIGATION_001",
			"SetNewNavigation_001: Navigation already active. Use editing tools or delete current navigation first."), nil
	}
	ids := member(args, "route_ids").Items()
	it := itinerary{active: true}
	for _, v := range ids {
		if id, ok := v.Text(); !ok || !isRoute(id) {
			return c.fail("SET_NAVIGATION_002", fmt.Sprintf("SetNewNavigation_002: %v is no route id.", v)), nil
		}
		it.routes = append(it.routes, v.String())
	}
	for i, id := range it.routes {
		r := c.Data.findRoute(id)
		switch {
		case r == nil && i == 0:
			return vehicle.Value{}, errors.New("'NoneType' object is not subscriptable")
		case r == nil:
			return c.fail("SET_NAVIGATION_003", fmt.Sprintf("SetNewNavigation_003: Route '%s' not found.", id)), nil
		case i == 0:
			it.waypoints = append(it.waypoints, r.Start)
		case r.Start != it.waypoints[i]:
			return c.fail("SET_NAVIGATION_005", fmt.Sprintf("SetNewNavigation_005: Route '%s' does not start where the one before it ends.", id)), nil
		}
		it.waypoints = append(it.waypoints, r.Dest)
	}
	if len(it.routes) == 0 {
		return vehicle.Value{}, errIndex
	}
	c.navigate(it)
	return success(object("navigation_set", true, "start_id", it.waypoints[0], "waypoints", it.waypoints,
		"destination_id", it.waypoints[len(it.waypoints)-1])), nil
}

func (c *Car) deleteNavigation(vehicle.Value) (vehicle.Value, error) {
	c.navigate(itinerary{waypoints: []string{}, routes: []string{}})
	return success(object("navigation_active", false, "new_waypoints", []string{}, "new_routes", []string{})), nil
}

func (c *Car) navigationState(args vehicle.Value) (vehicle.Value, error) {
	it := c.itinerary()
	out := object("navigation_active", it.active, "waypoints_id", it.waypoints, "routes_to_final_destination_id", it.routes)
	if detailed, _ := member(args, "detailed_information").Truth(); detailed {
		ways, routes := []vehicle.Value{}, []vehicle.Value{}
		for _, id := range it.waypoints {
			ways = append(ways, c.Data.show(id))
		}
		for _, id := range it.routes {
			var v vehicle.Value
			if r := c.Data.findRoute(id); r != nil {
				v = r.Show
			}
			routes = append(routes, v)
		}
		out = out.With("details", object("waypoints", ways, "routes", routes))
	}
	return success(out), nil
}

func (c *Car) deleteWaypoint(args vehicle.Value) (vehicle.Value, error) {
	const code = "NAVIGATION_DELETE_WAYPOINT_"
	fail := func(n, what string) (vehicle.Value, error) {
		return c.fail(code+n, "NavigationDeleteWaypoint_"+n+": Invalid "+what+"."), nil
	}
	id, route := text(args, "waypoint_id_to_delete"), text(args, "route_id_without_waypoint")
	it := c.itinerary()
	switch {
	case !isStop(id):
		return fail("001", "waypoint_id_to_delete format")
	case !isRoute(route):
		return fail("002", "route_id_without_waypoint format")
	case !it.active:
		c.inactive()
		return fail("003", "edit - navigation is not active")
	}
	r := c.Data.findRoute(route)
	i := slices.Index(it.waypoints, id)
	switch {
	case r == nil:
		return fail("004", "route_id_without_waypoint - route not found")
	case i < 0:
		return fail("005", "waypoint_id_to_delete - waypoint not found")
	case i == len(it.waypoints)-1:
		return vehicle.Value{}, errIndex
	case r.Start != before(it.waypoints, i):
		return fail("006", "route_id_without_waypoint - start of route does not match previous waypoint")
	case r.Dest != it.waypoints[i+1]:
		return fail("007", "route_id_without_waypoint - destination of route does not match next waypoint")
	case i == 0:
		return fail("008", "waypoint_id_to_delete - start or destination cannot be deleted")
	}
	it.waypoints = slices.Delete(it.waypoints, i, i+1)
	it.routes = splice(it.routes, i-1, 2, route)
	c.navigate(it)
	return it.edited("waypoint_deleted"), nil
}

func (c *Car) deleteDestination(args vehicle.Value) (vehicle.Value, error) {
	const code = "NAVIGATION_DELETE_DESTINATION_"
	fail := func(n, what string) (vehicle.Value, error) {
		return c.fail(code+n, "NavigationDeleteFinalDestination_"+n+": Invalid "+what+"."), nil
	}
	id := text(args, "destination_id_to_delete")
	it := c.itinerary()
	n := len(it.waypoints)
	switch {
	case !isStop(id):
		return fail("001", "destination_id_to_delete format")
	case !it.active:
		c.inactive()
		return fail("002", "edit - navigation is not active")
	case n < 3:
		c.policy = append(c.policy, "AUT-POL:019: destination deleted without a waypoint left to go to.")
		return fail("003", "edit - navigation has no intermediate waypoint")
	case it.waypoints[n-1] != id:
		return fail("004", "destination_id_to_delete - does not match currently set destination")
	}
	it.waypoints = it.waypoints[:n-1]
	it.routes = it.routes[:max(0, len(it.routes)-1)]
	c.navigate(it)
	return it.edited("destination_deleted"), nil
}

// before is the waypoint before i; before the first comes the last, which is
// how the recorded car counts.
func before(l []string, i int) string { return l[(i-1+len(l))%len(l)] }

// splice replaces n elements of the list from i on.
func splice(l []string, i, n int, with ...string) []string {
	i = min(max(i, 0), len(l))
	return slices.Concat(l[:i], with, l[min(i+n, len(l)):])
}
