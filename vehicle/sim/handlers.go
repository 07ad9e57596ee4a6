// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/carguardd/carguardd/vehicle"

// A handler executes the tools that are more than reading and setting
// signals. It returns the content of the result; an error is what the
// recorded car would raise. The car is locked while it runs.
type handler func(c *Car, args vehicle.Value) (vehicle.Value, error)

// handlerOf returns the tool's handler, or nil.
func handlerOf(tool string) handler {
	switch tool {
	case "get_user_preferences":
		return (*Car).preferences
	case "calculate_math":
		return (*Car).calculate
	case "calculate_datetime":
		return (*Car).addTimes
	case "think":
		return func(*Car, vehicle.Value) (vehicle.Value, error) { return vehicle.TextOf(""), nil }
	case "planning_tool":
		return (*Car).plan
	case "get_weather":
		return (*Car).weather
	case "search_poi_at_location":
		return (*Car).poisAtLocation
	case "search_poi_along_the_route":
		return (*Car).poisAlongRoute
	case "get_routes_from_start_to_destination":
		return (*Car).findRoutes
	case "get_location_id_by_location_name":
		return (*Car).findLocation
	case "get_current_navigation_state":
		return (*Car).navigationState
	case "convert_route_distance_and_time":
		return (*Car).convertRoute
	case "set_new_navigation":
		return (*Car).setNewNavigation
	case "navigation_add_one_waypoint":
		return (*Car).addWaypoint
	case "navigation_replace_one_waypoint":
		return (*Car).replaceWaypoint
	case "navigation_replace_final_destination":
		return (*Car).replaceDestination
	case "navigation_delete_waypoint":
		return (*Car).deleteWaypoint
	case "navigation_delete_destination":
		return (*Car).deleteDestination
	case "delete_current_navigation":
		return (*Car).deleteNavigation
	case "get_charging_specs_and_status":
		return (*Car).chargingStatus
	case "get_distance_by_soc":
		return (*Car).distanceByCharge
	case "calculate_charging_time_by_soc":
		return (*Car).chargingTime
	case "calculate_charging_soc_by_time":
		return (*Car).chargeByTime
	case "get_contact_id_by_contact_name":
		return (*Car).findContact
	case "get_contact_information":
		return (*Car).contactInformation
	case "get_entries_from_calendar":
		return (*Car).calendarEntries
	case "call_phone_by_number":
		return (*Car).phone
	case "send_email":
		return (*Car).sendEmail
	}
	return nil
}
