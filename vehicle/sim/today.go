// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
)

// Weather and calendar know the current day only. Asking for another is an
// error of the tool and of the policy.

func (c *Car) today(args vehicle.Value) bool {
	return int(number(args, "month")) == c.ctx.Now.Month && int(number(args, "day")) == c.ctx.Now.Day
}

func (c *Car) weather(args vehicle.Value) (vehicle.Value, error) {
	if !c.today(args) {
		c.policy = append(c.policy, "AUT-POL:024: weather asked for another day.")
		return c.fail("GET_WEATHER_001", "GetWeather_001: Weather is only known for the current day."), nil
	}
	id := text(args, "location_or_poi_id")
	if p := c.Data.findPOI(id); p != nil {
		id = p.Place
	}
	slots, ok := c.Data.Weather[id]
	if !ok {
		return c.fail("GET_WEATHER_002", fmt.Sprintf("GetWeather_002: Location '%s' not found.", text(args, "location_or_poi_id"))), nil
	}
	at := 60*int(number(args, "time_hour_24hformat")) + int(number(args, "time_minutes"))
	for _, s := range slots {
		from, _ := clock(text(s, "start_time"))
		to, _ := clock(text(s, "end_time"))
		if at >= from && at < to {
			// The recorded car never shows the slot after.
			return success(object("current_slot", s, "next_slot", nil)), nil
		}
	}
	return vehicle.Value{}, errors.New("hour must be in 0..23")
}

func (c *Car) calendarEntries(args vehicle.Value) (vehicle.Value, error) {
	if !c.today(args) {
		c.policy = append(c.policy, "AUT-POL:023: calendar asked for another day.")
		return c.fail("GET_ENTRIES_FROM_CALENDAR_001", "GetEntriesFromCalendar_001: Only the current day can be requested."), nil
	}
	cal, ok := c.Data.Calendars[c.ctx.Calendar]
	if !ok {
		return c.fail("GET_ENTRIES_FROM_CALENDAR_002", "GetEntriesFromCalendar_002: Calendar not found."), nil
	}
	day := cal.Date
	if day.Year == 0 {
		day = c.ctx.Now
	}
	return success(object("date", object("year", day.Year, "month", day.Month, "day", day.Day), "meetings", cal.Meetings)), nil
}
