// SPDX-License-Identifier: Apache-2.0

package vehicletest

import (
	_ "embed"
	"time"

	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
)

//go:embed body.dbc
var bodyDBC []byte

// Profile returns a small car: two windows, a roof with its shade, a trunk, a
// climate control with two signals in one message, all on the CAN bus "body";
// an ambient light over MQTT; a navigation that belongs to a service. The
// trunk has interlocks on speed and gear, closing a window one on the ignition,
// and the sunroof one on its shade.
func Profile() *vehicle.Profile {
	db, err := dbc.Parse("body.dbc", bodyDBC, dbc.Options{})
	if err != nil {
		panic(err)
	}
	p := vehicle.NewProfile(vehicle.Profile{
		Name: "test-car", Version: "1",
		Buses:    []vehicle.Bus{{Name: "body", DBC: []string{"body.dbc"}, DB: db}},
		Services: []string{"navigation"},
		Signals:  signals(),
	})
	p.Tools = tools(p)
	p.Limits = limits(p)
	return vehicle.NewProfile(*p)
}

func can(message, signal string) *vehicle.Binding {
	return &vehicle.Binding{Bus: "body", Message: message, Signal: signal}
}

func idle(b *vehicle.Binding, word string) *vehicle.Binding {
	b.Idle = word
	return b
}

func signals() []*vehicle.Signal {
	percent := func(name, status, statusSignal, command, commandSignal, noRequest string) *vehicle.Signal {
		return &vehicle.Signal{Name: name, Type: vehicle.TypeInteger, Unit: "percent", Max: 100,
			Status: can(status, statusSignal), Command: idle(can(command, commandSignal), noRequest),
			Settle: 8 * time.Second, Tolerance: 1, Motion: &vehicle.Motion{Hold: true}}
	}
	return []*vehicle.Signal{
		percent("window_driver_position", "WindowStatus", "DriverPosition", "WindowCommand", "DriverTarget", "NoRequest"),
		percent("window_passenger_position", "WindowStatus", "PassengerPosition", "WindowCommand", "PassengerTarget", "NoRequest"),
		percent("sunroof_position", "RoofStatus", "SunroofPosition", "RoofCommand", "SunroofTarget", ""),
		percent("sunshade_position", "RoofStatus", "SunshadePosition", "RoofCommand", "SunshadeTarget", ""),
		{Name: "window_driver_state", Type: vehicle.TypeEnum, Allowed: []string{"IDLE", "MOVING", "BLOCKED"}, Status: can("WindowStatus", "DriverState")},
		{Name: "fan_speed", Type: vehicle.TypeInteger, Unit: "level", Max: 5, Settle: time.Second,
			Status: can("ClimateStatus", "FanSpeed"), Command: can("ClimateCommand", "FanTarget")},
		{Name: "air_conditioning", Type: vehicle.TypeBool, Settle: time.Second,
			Status: can("ClimateStatus", "AirConditioning"), Command: can("ClimateCommand", "AirConditioningTarget")},
		{Name: "trunk_door_position", Type: vehicle.TypeEnum, Allowed: []string{"CLOSED", "OPEN", "STOPPED"}, Settle: 6 * time.Second,
			Status: can("TrunkStatus", "TrunkPosition"), Command: idle(can("TrunkCommand", "TrunkRequest"), "NoRequest"),
			Motion: &vehicle.Motion{Stop: vehicle.TextOf("STOPPED")}},
		{Name: "vehicle_speed", Type: vehicle.TypeNumber, Unit: "km/h", Max: 300, Status: can("VehicleStatus", "Speed")},
		{Name: "gear", Type: vehicle.TypeEnum, Allowed: []string{"P", "R", "N", "D"}, Status: can("VehicleStatus", "Gear")},
		{Name: "ignition", Type: vehicle.TypeBool, Status: can("VehicleStatus", "Ignition")},
		{Name: "ambient_light", Type: vehicle.TypeEnum, Allowed: []string{"OFF", "RED", "BLUE"}, Settle: 2 * time.Second,
			Status: &vehicle.Binding{Topic: "state/ambient_light"}, Command: &vehicle.Binding{Topic: "set/ambient_light", Values: map[string]vehicle.Value{
				"off": vehicle.TextOf("OFF"), "red": vehicle.TextOf("RED"), "blue": vehicle.TextOf("BLUE")}}},
		{Name: "navigation_active", Type: vehicle.TypeBool, Service: "navigation"},
		{Name: "waypoints", Type: vehicle.TypeList, Service: "navigation"},
	}
}

func limits(p *vehicle.Profile) vehicle.Limits {
	id := func(name string) vehicle.SignalID { return p.Signal(name).ID }
	zero, open := 0.0, 99.0
	p.Signal("window_driver_position").Blocked = []vehicle.Need{{Signal: id("window_driver_state"), Is: []vehicle.Value{vehicle.TextOf("BLOCKED")}}}
	on := vehicle.Need{Signal: id("ignition"), Is: []vehicle.Value{vehicle.BoolOf(true)}}
	return vehicle.Limits{
		Interlocks: []vehicle.Interlock{
			{Name: "trunk-at-standstill", Signal: id("trunk_door_position"), To: []vehicle.Value{vehicle.TextOf("OPEN"), vehicle.TextOf("CLOSED")},
				Need: []vehicle.Need{{Signal: id("vehicle_speed"), Max: &zero, Fresh: 500 * time.Millisecond}, {Signal: id("gear"), Is: []vehicle.Value{vehicle.TextOf("P")}}},
				Say:  map[string]string{"en": "The trunk only moves when the car is parked.", "de": "Die Heckklappe bewegt sich nur, wenn das Auto parkt."}},
			{Name: "no-closing-with-ignition-off", Signal: id("window_driver_position"), Closing: true, Need: []vehicle.Need{on}},
			{Name: "no-closing-with-ignition-off", Signal: id("window_passenger_position"), Closing: true, Need: []vehicle.Need{on}},
			{Name: "shade-before-roof", Signal: id("sunroof_position"), Need: []vehicle.Need{{Signal: id("sunshade_position"), Min: &open}}},
		},
		Rates: []vehicle.Rate{{Signal: id("trunk_door_position"), Count: 2, Per: 10 * time.Second}},
	}
}
