// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"math"

	"github.com/carguardd/carguardd/vehicle"
)

// Effect is what one call asks of one signal.
type Effect struct {
	Signal Signal
	Value  int
}

var windowsOf = map[string][]Signal{"ALL": Windows, "DRIVER": {WindowDriver}, "PASSENGER": {WindowPassenger}, "DRIVER_REAR": {WindowDriverRear},
	"RIGHT_REAR": {WindowDriverRear}, "PASSENGER_REAR": {WindowPassengerRear}, "LEFT_REAR": {WindowPassengerRear}}

var readingOf = map[string][]Signal{"ALL": {ReadingDriver, ReadingPassenger, ReadingDriverRear, ReadingPassengerRear}, "DRIVER": {ReadingDriver},
	"PASSENGER": {ReadingPassenger}, "DRIVER_REAR": {ReadingDriverRear}, "RIGHT_REAR": {ReadingDriverRear},
	"PASSENGER_REAR": {ReadingPassengerRear}, "LEFT_REAR": {ReadingPassengerRear}}

var zonesOf = map[string][]Signal{"ALL_ZONES": {TemperatureDriver, TemperaturePassenger}, "DRIVER": {TemperatureDriver}, "PASSENGER": {TemperaturePassenger}}

var defrostOf = map[string][]Signal{"ALL": {FrontDefrost, RearDefrost}, "FRONT": {FrontDefrost}, "REAR": {RearDefrost}}

var airflows = map[string]int{"FEET": 1, "HEAD": 2, "HEAD_FEET": 3, "WINDSHIELD": 4, "WINDSHIELD_FEET": 5, "WINDSHIELD_HEAD": 6, "WINDSHIELD_HEAD_FEET": 7}

var circulations = map[string]int{"AUTO": 0, "FRESH_AIR": 1, "RECIRCULATION": 2}

// Effects returns what a call asks of the signals that travel on CAN; nothing
// for any other call.
func Effects(c vehicle.Call) []Effect {
	on := truth(c, "on")
	switch c.Tool {
	case "open_close_sunroof":
		return set(number(c, "percentage"), Sunroof)
	case "open_close_sunshade":
		return set(number(c, "percentage"), Sunshade)
	case "open_close_trunk_door":
		return set(is(c, "action", "OPEN"), Trunk)
	case "open_close_window":
		return set(number(c, "percentage"), windowsOf[text(c, "window")]...)
	case "set_air_circulation":
		return set(circulations[text(c, "mode")], Circulation)
	case "set_air_conditioning":
		return set(on, AirConditioning)
	case "set_climate_temperature":
		f, _ := member(c, "temperature").Float()
		return set(int(math.Round(2*f)), zonesOf[text(c, "seat_zone")]...)
	case "set_fan_airflow_direction":
		return set(airflows[text(c, "direction")], Airflow)
	case "set_fan_speed":
		return set(number(c, "level"), Fan)
	case "set_steering_wheel_heating":
		return set(number(c, "level"), WheelHeating)
	case "set_window_defrost":
		return set(on, defrostOf[text(c, "defrost_window")]...)
	case "set_fog_lights":
		return set(on, FogLights)
	case "set_head_lights_low_beams":
		return set(on, LowBeams)
	case "set_head_lights_high_beams":
		return set(on, HighBeams)
	case "set_reading_light":
		return set(on, readingOf[text(c, "position")]...)
	case "set_charge_limit":
		return set(number(c, "percentage"), ChargeLimit)
	case "start_stop_charging":
		return set(is(c, "action", "START"), Charging)
	case "open_close_charge_flap":
		return set(is(c, "action", "OPEN"), ChargeFlap)
	}
	return nil
}

func set(v int, signals ...Signal) []Effect {
	out := make([]Effect, len(signals))
	for i, s := range signals {
		out[i] = Effect{s, v}
	}
	return out
}

func member(c vehicle.Call, name string) vehicle.Value { v, _ := c.Args.Member(name); return v }

func text(c vehicle.Call, name string) string { s, _ := member(c, name).Text(); return s }

func number(c vehicle.Call, name string) int {
	f, _ := member(c, name).Float()
	return int(math.Round(f))
}

func truth(c vehicle.Call, name string) int {
	if b, _ := member(c, name).Truth(); b {
		return 1
	}
	return 0
}

func is(c vehicle.Call, name, want string) int {
	if text(c, name) == want {
		return 1
	}
	return 0
}

// changing are the tools that change the car or the world.
var changing = []string{"open_close_sunroof", "open_close_sunshade", "open_close_trunk_door", "open_close_window", "set_air_circulation",
	"set_air_conditioning", "set_climate_temperature", "set_fan_airflow_direction", "set_fan_speed", "set_steering_wheel_heating",
	"set_window_defrost", "set_fog_lights", "set_head_lights_low_beams", "set_head_lights_high_beams", "set_reading_light", "set_charge_limit",
	"start_stop_charging", "open_close_charge_flap", "set_seat_heating", "set_ambient_lights", "set_new_navigation",
	"delete_current_navigation", "send_email", "call_phone_by_number", "navigation_add_one_waypoint", "navigation_replace_one_waypoint",
	"navigation_replace_final_destination", "navigation_delete_waypoint", "navigation_delete_destination"}

// Changes reports whether the tool changes the car or the world.
func Changes(tool string) bool { return contains(changing, tool) }

// needsYes reports whether the tool is marked for confirmation.
func needsYes(tool string) bool {
	switch tool {
	case "open_close_trunk_door", "set_head_lights_high_beams", "send_email":
		return true
	}
	return false
}

// editsNavigation reports whether the tool changes stops or the destination
// of an active navigation.
func editsNavigation(tool string) bool {
	switch tool {
	case "navigation_add_one_waypoint", "navigation_replace_one_waypoint", "navigation_replace_final_destination",
		"navigation_delete_waypoint", "navigation_delete_destination":
		return true
	}
	return false
}
