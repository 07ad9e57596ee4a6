// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
)

// Context is what surrounds the car and no tool changes. Time stands still in
// it: services answer as of Now.
type Context struct {
	Here        vehicle.Value // current location: id, name, position
	Now         DateTime
	Preferences vehicle.Value // category → subcategory → sentences
	Calendar    string        // id of the driver's calendar; empty: the only one
	Battery     Battery
}

// DateTime is a moment in the car's own time zone.
type DateTime struct{ Year, Month, Day, Hour, Minute int }

// Value is the moment as results show it.
func (t DateTime) Value() vehicle.Value {
	return object("year", t.Year, "month", t.Month, "day", t.Day, "hour", t.Hour, "minute", t.Minute)
}

// minutes since midnight.
func (t DateTime) minutes() int { return 60*t.Hour + t.Minute }

// Battery is what charging arithmetic needs to know.
type Battery struct {
	CapacityKWh   float64
	UsablePercent float64 // of the capacity
	MaxAC, MaxDC  float64 // kW
	Consumption   float64 // kWh per 100 km
	Charge        float64 // percent; the signal state_of_charge, where a profile has it, comes first
	Curve         []CurvePoint
}

// CurvePoint says that up to a charge of UpTo percent the car takes Percent
// of the plug's power.
type CurvePoint struct{ UpTo, Percent float64 }

// DefaultCurve falls off towards full, as batteries do.
func DefaultCurve() []CurvePoint {
	return []CurvePoint{{5, 60}, {10, 90}, {20, 100}, {50, 100}, {70, 100}, {80, 90}, {90, 70}, {95, 40}, {100, 20}}
}

// Init sets context and signals from the members of an object: the names of
// signals and of the fixed context. A member whose value is an object may
// name signals by prefix (seats_occupied.driver is seats_occupied_driver).
// Unknown names are an error.
func (c *Car) Init(config vehicle.Value) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if config.Kind() != vehicle.Object {
		return fmt.Errorf("initial state: want an object, have a %s", config.Kind())
	}
	for i := range config.Len() {
		if err := c.initOne(config.NameAt(i), config.At(i)); err != nil {
			return fmt.Errorf("initial state: %w", err)
		}
	}
	return nil
}

func (c *Car) initOne(name string, v vehicle.Value) error {
	b := &c.ctx.Battery
	f, _ := v.Float()
	known := true
	switch name {
	case "battery_capacity_kwh":
		b.CapacityKWh = f
	case "useable_battery_percentage":
		b.UsablePercent = f
	case "max_charging_power_ac":
		b.MaxAC = f
	case "max_charging_power_dc":
		b.MaxDC = f
	case "energy_consumption":
		b.Consumption = f
	case "state_of_charge":
		b.Charge = f
	case "charging_curve_parameters":
		up, pc := member(v, "soc_tresholds").Items(), member(v, "power_percentages").Items()
		if len(up) == 0 || len(up) != len(pc) {
			return fmt.Errorf("%s: want as many thresholds as percentages", name)
		}
		b.Curve = nil
		for i := range up {
			u, _ := up[i].Float()
			p, _ := pc[i].Float()
			b.Curve = append(b.Curve, CurvePoint{u, p})
		}
	case "current_location":
		c.ctx.Here = v
	case "current_datetime":
		c.ctx.Now = DateTime{int(number(v, "year")), int(number(v, "month")), int(number(v, "day")),
			int(number(v, "hour")), int(number(v, "minute"))}
	case "user_preferences":
		c.ctx.Preferences = v
	default:
		known = false
	}
	if s := c.Profile.Signal(name); s != nil {
		c.state[s.ID] = v
		return nil
	}
	if v.Kind() == vehicle.Object {
		for i := range v.Len() {
			if s := c.Profile.Signal(name + "_" + v.NameAt(i)); s != nil {
				c.state[s.ID], known = v.At(i), true
			}
		}
	}
	if !known {
		return fmt.Errorf("%s is neither a signal of %s nor part of the context", name, c.Profile.Name)
	}
	return nil
}
