// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/carguardd/carguardd/vehicle"

// A field is one signal of the in-car profile with the value it starts with.
type field struct {
	name           string
	typ            vehicle.SignalType
	min, max, step float64
	allowed        string // members of an enum
	start          any
}

func percent(name string) field {
	return field{name: name, typ: vehicle.TypeInteger, max: 100, start: 0}
}

func onOff(name string) field { return field{name: name, typ: vehicle.TypeBool, start: false} }

func level(name string, max float64) field {
	return field{name: name, typ: vehicle.TypeInteger, max: max, start: 0}
}

func choice(name, allowed, start string) field {
	return field{name: name, typ: vehicle.TypeEnum, allowed: allowed, start: start}
}

func celsius(name string) field {
	return field{name: name, typ: vehicle.TypeNumber, min: 16, max: 28, step: 0.5, start: 20}
}

func list(name string) field {
	return field{name: name, typ: vehicle.TypeList, start: []string{}}
}

// inCarFields are the state that tools change, then what they only read.
var inCarFields = []field{
	percent("sunroof_position"), percent("sunshade_position"),
	{name: "trunk_door_position", typ: vehicle.TypeText, start: "closed"},
	percent("window_driver_position"), percent("window_passenger_position"),
	percent("window_driver_rear_position"), percent("window_passenger_rear_position"),
	onOff("reading_light_driver"), onOff("reading_light_passenger"),
	onOff("reading_light_driver_rear"), onOff("reading_light_passenger_rear"),
	onOff("fog_lights"), onOff("head_lights_low_beams"), onOff("head_lights_high_beams"),
	choice("ambient_light", "OFF RED GREEN BLUE YELLOW WHITE PINK ORANGE PURPLE CYAN", "OFF"),
	celsius("climate_temperature_driver"), celsius("climate_temperature_passenger"),
	level("steering_wheel_heating", 3), level("seat_heating_driver", 3), level("seat_heating_passenger", 3),
	level("fan_speed", 5), onOff("window_front_defrost"), onOff("window_rear_defrost"),
	choice("fan_airflow_direction", "FEET HEAD HEAD_FEET WINDSHIELD WINDSHIELD_FEET WINDSHIELD_HEAD WINDSHIELD_HEAD_FEET", "FEET"),
	onOff("air_conditioning"), choice("air_circulation", "AUTO FRESH_AIR RECIRCULATION", "AUTO"),
	onOff("navigation_active"), list("waypoints_id"), list("routes_to_final_destination_id"),
	list("email_addresses_sent_mail_to"), list("phone_numbers_called"),

	{name: "car_color", typ: vehicle.TypeText},
	{name: "state_of_charge", typ: vehicle.TypeNumber, max: 100},
	{name: "seats_occupied_driver", typ: vehicle.TypeBool}, {name: "seats_occupied_passenger", typ: vehicle.TypeBool},
	{name: "seats_occupied_driver_rear", typ: vehicle.TypeBool}, {name: "seats_occupied_passenger_rear", typ: vehicle.TypeBool},
}

// inCarReads are the reads of signals, with the one part of the result that no
// signal gives.
var inCarReads = []struct{ name, signals, fixed, text string }{
	{"get_ambient_light_status_and_color", "ambient_light", "", ""},
	{"get_car_color", "car_color", "", ""},
	{"get_climate_settings", "fan_speed fan_airflow_direction air_conditioning air_circulation window_front_defrost window_rear_defrost", "", ""},
	{"get_exterior_lights_status", "fog_lights head_lights_low_beams head_lights_high_beams", "", ""},
	{"get_reading_lights_status", "reading_light_driver reading_light_passenger reading_light_driver_rear reading_light_passenger_rear", "", ""},
	{"get_seat_heating_level", "seat_heating_driver seat_heating_passenger", "", ""},
	{"get_seats_occupancy", "seats_occupied.driver seats_occupied.passenger seats_occupied.driver_rear seats_occupied.passenger_rear", "", ""},
	{"get_steering_wheel_heating_level", "steering_wheel_heating", "", ""},
	{"get_sunroof_and_sunshade_position", "sunroof_position sunshade_position", "description", "Current positions of sunroof and sunshade"},
	{"get_temperature_inside_car", "climate_temperature_driver climate_temperature_passenger", "temperature_unit", "Celsius"},
	{"get_trunk_door_position", "trunk_door_position", "", ""},
	{"get_vehicle_window_positions", "window_driver_position window_passenger_position window_driver_rear_position window_passenger_rear_position", "description", "0 = closed, 100=open."},
}

const (
	doors = " ALL=* DRIVER=driver PASSENGER=passenger DRIVER_REAR=driver_rear PASSENGER_REAR=passenger_rear RIGHT_REAR=driver_rear LEFT_REAR=passenger_rear"
	zones = "seat_zone ALL_ZONES=* DRIVER=driver PASSENGER=passenger"
)

var inCarWrites = []write{
	{name: "open_close_sunroof", params: "percentage:n", sets: []set{{field: "sunroof_position", arg: "percentage"}}},
	{name: "open_close_sunshade", params: "percentage:n", sets: []set{{field: "sunshade_position", arg: "percentage"}}},
	{name: "open_close_trunk_door", params: "action", sets: []set{{field: "trunk_door_position", arg: "action"}}},
	{name: "open_close_window", params: "window percentage:n", items: "window" + doors,
		sets: []set{{field: "window_*_position", arg: "percentage"}}},
	{name: "set_air_circulation", params: "mode", sets: []set{{field: "air_circulation", arg: "mode"}}},
	{name: "set_air_conditioning", params: "on:b", sets: []set{{field: "air_conditioning", arg: "on"}}},
	{name: "set_ambient_lights", params: "on:b lightcolor", sets: []set{
		{field: "ambient_light", to: "OFF", when: "on", is: false},
		{field: "ambient_light", arg: "lightcolor", when: "on", is: true, rename: map[string]vehicle.Value{"NONE": vehicle.TextOf("OFF")}}}},
	{name: "set_climate_temperature", params: "temperature:n seat_zone", items: zones,
		sets: []set{{field: "climate_temperature_*", arg: "temperature"}}},
	{name: "set_fan_airflow_direction", params: "direction", sets: []set{{field: "fan_airflow_direction", arg: "direction"}}},
	{name: "set_fan_speed", params: "level:n", sets: []set{{field: "fan_speed", arg: "level"}}},
	{name: "set_fog_lights", params: "on:b", sets: []set{{field: "fog_lights", arg: "on"}}},
	{name: "set_head_lights_high_beams", params: "on:b", sets: []set{{field: "head_lights_high_beams", arg: "on"}}},
	{name: "set_head_lights_low_beams", params: "on:b", sets: []set{{field: "head_lights_low_beams", arg: "on"}}},
	{name: "set_reading_light", params: "position on:b", items: "position" + doors, echo: "position",
		sets: []set{{field: "reading_light_*", arg: "on"}}},
	{name: "set_seat_heating", params: "level:n seat_zone", items: zones, sets: []set{{field: "seat_heating_*", arg: "level"}}},
	{name: "set_steering_wheel_heating", params: "level:n", sets: []set{{field: "steering_wheel_heating", arg: "level"}}},
	{name: "set_window_defrost", params: "on:b defrost_window", items: "defrost_window ALL=* FRONT=front REAR=rear",
		sets: []set{{field: "window_*_defrost", arg: "on"}}},
}

var inCarServices = []struct {
	name   string
	access vehicle.Access
	params string
}{
	{"get_user_preferences", vehicle.Read, "preference_categories:o"},
	{"calculate_math", vehicle.Noop, "expression:s"},
	{"calculate_datetime", vehicle.Noop, "original_datetime:o times_to_add:l"},
	{"think", vehicle.Noop, "thought"},
	{"planning_tool", vehicle.Noop, "command plan_id? title? steps:l? step_updates:l?"},
	{"get_weather", vehicle.Read, "location_or_poi_id:s month:n day:n time_hour_24hformat:n time_minutes:n?"},
	{"search_poi_at_location", vehicle.Read, "location_id:s category_poi filters:l?"},
	{"search_poi_along_the_route", vehicle.Read, "route_id:s category_poi at_kilometer:n? filters:l?"},
	{"get_routes_from_start_to_destination", vehicle.Read, "start_id:s destination_id:s"},
	{"get_location_id_by_location_name", vehicle.Read, "location:s"},
	{"get_current_navigation_state", vehicle.Read, "detailed_information:b?"},
	{"convert_route_distance_and_time", vehicle.Read, "route_id:s time_minutes:n? distance_km:n?"},
	{"set_new_navigation", vehicle.Write, "route_ids:l"},
	{"navigation_add_one_waypoint", vehicle.Write, "waypoint_id_to_add:s waypoint_id_before_new_waypoint:s " +
		"route_id_leading_to_new_waypoint:s waypoint_id_after_new_waypoint:s? route_id_leading_away_from_new_waypoint:s?"},
	{"navigation_replace_one_waypoint", vehicle.Write, "waypoint_id_to_replace:s new_waypoint_id:s " +
		"route_id_leading_to_new_waypoint:s route_id_leading_away_from_new_waypoint:s"},
	{"navigation_replace_final_destination", vehicle.Write, "new_destination_id:s route_id_leading_to_new_destination:s"},
	{"navigation_delete_waypoint", vehicle.Write, "waypoint_id_to_delete:s route_id_without_waypoint:s"},
	{"navigation_delete_destination", vehicle.Write, "destination_id_to_delete:s"},
	{"delete_current_navigation", vehicle.Write, ""},
	{"get_charging_specs_and_status", vehicle.Read, ""},
	{"get_distance_by_soc", vehicle.Read, "initial_state_of_charge:n final_state_of_charge:n?"},
	{"calculate_charging_time_by_soc", vehicle.Read, "charging_station_id:s charging_station_plug_id:s " +
		"start_state_of_charge:n target_state_of_charge:n?"},
	{"calculate_charging_soc_by_time", vehicle.Read, "charging_station_id:s charging_station_plug_id:s start_state_of_charge:n charging_time:n"},
	{"get_contact_id_by_contact_name", vehicle.Read, "contact_first_name:s? contact_last_name:s?"},
	{"get_entries_from_calendar", vehicle.Read, "month:n day:n"},
	{"get_contact_information", vehicle.Read, "contact_ids:l"},
	{"call_phone_by_number", vehicle.Write, "phone_number:s"},
	{"send_email", vehicle.Write, "content_message email_addresses:l"},
}
