// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/carguardd/carguardd/vehicle"

const (
	allWindows = "ALL, DRIVER, PASSENGER, DRIVER_REAR, PASSENGER_REAR, RIGHT_REAR, LEFT_REAR"
	allZones   = "ALL_ZONES, DRIVER, PASSENGER"
)

// quirks lists, by tool, the error envelopes of the recorded car's own tools.
// Everything else about them is in their declaration.
var quirks = map[string]quirk{
	"open_close_sunroof":    {code: "OPEN_CLOSE_SUNROOF", checks: []argCheck{between("001", "percentage", 0, 100)}},
	"open_close_sunshade":   {code: "OPEN_CLOSE_SUNSHADE", checks: []argCheck{between("001", "percentage", 0, 100)}},
	"open_close_trunk_door": {code: "OPEN_CLOSE_TRUNK_DOOR", checks: []argCheck{oneOf("001", "action", "action", "OPEN, CLOSE")}},
	"open_close_window": {code: "OPEN_CLOSE_WINDOW", checks: []argCheck{between("001", "percentage", 0, 100),
		single("002", "window"), oneOf("003", "window", "window", allWindows)}},
	"set_air_circulation": {code: "SET_AIR_CIRCULATION",
		checks: []argCheck{oneOf("001", "mode", "mode", "FRESH_AIR, RECIRCULATION, AUTO")}},
	"set_ambient_lights": {code: "SET_AMBIENT_LIGHT", checks: []argCheck{{code: "001", arg: "lightcolor", enum: lightColors,
		text: "Invalid color requested - choose one of " + lightColors + "."}}},
	"set_climate_temperature": {code: "SET_CLIMATE_TEMPERATURE",
		checks: []argCheck{between("001", "temperature", 0, 100), oneOf("002", "seat_zone", "seat zone", allZones)}},
	"set_fan_airflow_direction": {code: "SET_FAN_AIRFLOW_DIRECTION", checks: []argCheck{oneOf("001", "direction", "direction",
		"FEET, HEAD, HEAD_FEET, WINDSHIELD, WINDSHIELD_FEET, WINDSHIELD_HEAD, WINDSHIELD_HEAD_FEET")}},
	"set_fan_speed": {code: "SET_FAN_SPEED", checks: []argCheck{between("001", "level", 0, 5)}},
	"set_reading_light": {code: "SET_READING_LIGHT",
		checks: []argCheck{single("001", "position"), oneOf("002", "position", "position", allWindows)}},
	"set_seat_heating": {code: "SET_SEAT_HEATING",
		checks: []argCheck{between("001", "level", 0, 3), oneOf("002", "seat_zone", "seat zone", allZones)}},
	"set_steering_wheel_heating": {code: "SET_STEERING_WHEEL_HEATING", checks: []argCheck{between("001", "level", 0, 3)}},
	"set_window_defrost": {code: "SET_WINDOW_DEFROST",
		checks: []argCheck{oneOf("001", "defrost_window", "defrost window", "ALL, FRONT, REAR")}},
}

const lightColors = "RED, GREEN, BLUE, YELLOW, WHITE, PINK, ORANGE, PURPLE, CYAN, NONE"

func between(code, arg string, min, max float64) argCheck {
	lo, hi := vehicle.NumberOf(min).String(), vehicle.NumberOf(max).String()
	return argCheck{code: code, arg: arg, min: min, max: max,
		text: "Invalid " + arg + " requested - Choose a value from " + lo + " to " + hi + "."}
}

func oneOf(code, arg, noun, members string) argCheck {
	return argCheck{code: code, arg: arg, enum: members, text: "Invalid " + noun + " requested - Choose one of " + members + "."}
}

func single(code, arg string) argCheck {
	return argCheck{code: code, arg: arg, noList: true, text: "Invalid " + arg + " requested - Give one " + arg + ", not a list."}
}
