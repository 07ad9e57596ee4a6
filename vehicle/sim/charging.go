// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"

	"github.com/carguardd/carguardd/vehicle"
)

// Charging is computed minute by minute: in each, the car takes the part of
// the plug's power that its curve allows at the charge it then has, limited
// by what the car can take at all.

// charge is the current charge in percent.
func (c *Car) charge() float64 {
	if f, ok := c.get("state_of_charge").Float(); ok {
		return f
	}
	return c.ctx.Battery.Charge
}

// usable is the energy between empty and full, in kWh.
func (b Battery) usable() float64 { return b.CapacityKWh * b.UsablePercent / 100 }

// rangeKm is how far so many percent of charge take the car, in whole km.
func (b Battery) rangeKm(percent float64) float64 {
	if b.Consumption <= 0 {
		return 0
	}
	return math.RoundToEven(percent / 100 * b.usable() / b.Consumption * 100)
}

// share is the part of the power taken at the charge, in percent.
func (b Battery) share(charge float64) float64 {
	for _, p := range b.Curve {
		if charge <= p.UpTo {
			return p.Percent
		}
	}
	return b.Curve[len(b.Curve)-1].Percent
}

// minute is the charge after one more minute at the plug, in percent.
func (b Battery) minute(charge, plugKW float64) float64 {
	return charge + plugKW*b.share(charge)/100/60/b.usable()*100
}

// longestCharge bounds the arithmetic, in minutes: no plug that works takes a
// month.
const longestCharge = 31 * 24 * 60

// timeTo is how many minutes charging takes from one charge to another. Like
// the recorded car it stops within a percent of the target.
func (b Battery) timeTo(from, to, plugKW float64) int {
	n := 0
	for from < to-1 && n < longestCharge {
		from = b.minute(from, plugKW)
		n++
	}
	return n
}

// after is the charge after so many minutes, in percent.
func (b Battery) after(from float64, minutes int, plugKW float64) float64 {
	for range min(minutes, longestCharge) {
		if from >= 100 {
			return 100
		}
		from = b.minute(from, plugKW)
	}
	return min(from, 100)
}

// power is what the car takes from the plug at most, in kW.
func (b Battery) power(p Plug) float64 {
	most := b.MaxAC
	if p.Type == "DC" {
		most = b.MaxDC
	}
	if most > 0 {
		return min(p.KW, most)
	}
	return p.KW
}

func (c *Car) chargingStatus(vehicle.Value) (vehicle.Value, error) {
	b := c.ctx.Battery
	return success(object("battery_capacity_kwh", b.CapacityKWh, "max_charging_power_ac", b.MaxAC, "max_charging_power_dc", b.MaxDC,
		"state_of_charge", c.charge(), "remaining_range", fmt.Sprintf("%.1fkm", b.rangeKm(c.charge())))), nil
}

func (c *Car) distanceByCharge(args vehicle.Value) (vehicle.Value, error) {
	from, to := number(args, "initial_state_of_charge"), number(args, "final_state_of_charge")
	if from < to {
		return c.fail("GET_DISTANCE_BY_SOC_001", "GetDistanceBySoc_001: The initial state of charge is below the final one."), nil
	}
	return success(object(fmt.Sprintf("distance_km_for_%g_until_%g_percent_soc", from, to),
		fmt.Sprintf("%.1fkm", c.ctx.Battery.rangeKm(from-to)))), nil
}

func (c *Car) chargingTime(args vehicle.Value) (vehicle.Value, error) {
	fail := func(n, what string) (vehicle.Value, error) {
		return c.fail("CALCULATE_CHARGING_TIME_"+n, "CalculateChargingTimeBySoc_"+n+": "+what), nil
	}
	from := number(args, "start_state_of_charge")
	to, hasTo := member(args, "target_state_of_charge").Float()
	switch {
	case !isPOI(text(args, "charging_station_id")):
		return fail("001", "Invalid charging_station_id format.")
	case !isPlug(text(args, "charging_station_plug_id")):
		return fail("002", "Invalid charging_station_plug_id format.")
	case from < 0 || from > 100:
		return fail("003", "start_state_of_charge must be in 0..100.")
	case hasTo && (to < 0 || to > 100):
		return fail("004", "target_state_of_charge must be in 0..100.")
	case hasTo && from > to:
		return fail("005", "start_state_of_charge is above the target.")
	}
	p, ok := c.plug(args)
	if !ok {
		return fail("006", "Charging plug not found.")
	}
	targets := []float64{80, 100}
	if hasTo {
		targets = []float64{to}
	}
	b, out := c.ctx.Battery, object()
	for _, t := range targets {
		out = out.With(fmt.Sprintf("time_from_%g_until_%g_percent_soc", from, t),
			vehicle.TextOf(fmt.Sprintf("%dmin", b.timeTo(from, t, b.power(p)))))
	}
	return success(out), nil
}

func (c *Car) chargeByTime(args vehicle.Value) (vehicle.Value, error) {
	fail := func(n, what string) (vehicle.Value, error) {
		return c.fail("CALCULATE_CHARGING_SOC_BY_TIME_"+n, "CalculateChargingSocByTime_"+n+": "+what), nil
	}
	from, minutes := number(args, "start_state_of_charge"), number(args, "charging_time")
	switch {
	case !isPOI(text(args, "charging_station_id")):
		return fail("001", "Invalid charging_station_id format.")
	case !isPlug(text(args, "charging_station_plug_id")):
		return fail("002", "Invalid charging_station_plug_id format.")
	case from < 0 || from > 100:
		return fail("003", "start_state_of_charge must be in 0..100.")
	case minutes < 0:
		return fail("004", "charging_time must not be negative.")
	}
	p, ok := c.plug(args)
	if !ok {
		return fail("005", "Charging plug not found.")
	}
	b := c.ctx.Battery
	charge := b.after(from, int(minutes), b.power(p))
	return success(object(fmt.Sprintf("soc_in_percent_after_charging_for_%gmin", minutes),
		fmt.Sprintf("%.1f percent", math.RoundToEven(charge)))), nil
}

func (c *Car) plug(args vehicle.Value) (Plug, bool) {
	if p := c.Data.findPOI(text(args, "charging_station_id")); p != nil {
		for _, g := range p.Plugs {
			if g.ID == text(args, "charging_station_plug_id") {
				return g, true
			}
		}
	}
	return Plug{}, false
}
