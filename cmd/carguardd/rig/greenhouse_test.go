// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// greenhouse is a bench of a domain that no line of Go knows, with the offline
// student.
func greenhouse(t *testing.T, language, state string, faults ...string) *rig.Rig {
	t.Helper()
	return bench(t, func(o *rig.Options) {
		o.Profile, o.Bundle, o.Language, o.State, o.Faults = testdata.Greenhouse, testdata.GreenhouseBundle, language, state, faults
	})
}

// onWire lists what left for a turn: bus and frame, or topic and payload.
func onWire(turn *harness.Turn) []string {
	return left(turn, func(tr vehicle.Trace) string { return tr.Bus + " " + tr.Text })
}

// said is one utterance and what must come of it.
type said struct {
	say     string
	outcome harness.Outcome
	wire    []string
	reply   string
}

// TestGreenhouse drives whole conversations: vents over CAN, heater, lamps and
// carbon dioxide over MQTT, orders through a service.
func TestGreenhouse(t *testing.T) {
	for _, tc := range []struct {
		name, state string
		talk        []said
	}{
		{"two vents close before heating", "", []said{
			{"heat to 18 degrees", harness.Spoke,
				[]string{"field 280#00FFFFFF", "field 280#FFFFFF00", "mqtt set/heater/mode 2", "mqtt set/heater/temperature 18"},
				"Okay, the north vent is closed, the west vent is closed and the heater is set to 18 degrees."},
			{"turn off the heater", harness.Spoke, []string{"mqtt set/heater/mode 0"},
				"Okay, the heater is off. It is going to freeze tonight. Please note: the forecast: temperature c -3."},
		}},
		{"all vents are one call", "vent_south_opening=50,vent_east_opening=60", []said{
			{"heat to 18 degrees", harness.Spoke,
				[]string{"field 280#00FFFFFF", "field 280#FF00FFFF", "field 280#FFFF00FF", "field 280#FFFFFF00", "mqtt set/heater/mode 2", "mqtt set/heater/temperature 18"},
				"Okay, all vents are closed and the heater is set to 18 degrees."},
		}},
		{"a yes is for the whole package", "vent_north_opening=0", []said{
			{"turn on the co2", harness.Asked, nil,
				"This needs a clear yes. Shall I close the east vent, close the west vent, let carbon dioxide in and set the south grow lamp to 80 percent anyway?"},
			{"yes", harness.Spoke,
				[]string{"field 280#FFFF00FF", "field 280#FFFFFF00", "mqtt set/co2/dosing true", "mqtt set/lamp/south 80"},
				"Okay, the east vent is closed, the west vent is closed, carbon dioxide is let in and the south grow lamp is at 80 percent."},
			{"open the north vent to 20 percent", harness.Spoke, nil,
				"I did not open the north vent to 20 percent. The carbon dioxide would be gone."},
			{"yes", harness.Spoke, nil, "Nothing was changed."},
		}},
		{"a no cancels it", "vent_north_opening=0,vent_east_opening=0,vent_west_opening=0,lamp_south=0", []said{
			{"turn on the co2", harness.Asked, nil, "This needs a clear yes. Shall I let carbon dioxide in anyway?"},
			{"no, leave it", harness.Spoke, nil, "All right, I do not let carbon dioxide in."},
			{"yes", harness.Spoke, nil, "Nothing was changed."},
		}},
		{"too many beds for the pump", "", []said{
			{"water all beds", harness.Spoke, nil, "I did not start watering all beds. The pump can take two beds at a time."},
			{"water the north bed", harness.Spoke, []string{"field 282#FD"}, "Okay, the north bed is being watered."},
			{"water the west bed", harness.Spoke, nil, "I did not start watering the west bed. The pump can take two beds at a time."},
		}},
		{"an empty tank", "tank_level=5", []said{
			{"water the north bed", harness.Spoke, nil, "I did not start watering the north bed. The tank is nearly empty."},
		}},
		{"a sensor that says nothing", "wind_speed=unknown", []said{
			{"is it windy?", harness.Spoke, nil, "I could not read the wind."},
			{"open the north vent to 80 percent", harness.Spoke, nil, "I did not open the north vent to 80 percent. The wind is not known."},
		}},
		{"an order", "", []said{
			{"order 2 seeds", harness.Asked, nil, "This needs a clear yes. Shall I order 2 times seeds anyway?"},
			{"yes", harness.Spoke, nil, "Okay, 2 times seeds is ordered."},
		}},
		{"a question changes nothing", "", []said{
			{"is the door open?", harness.Spoke, nil, "The door is closed."},
			{"stop", harness.Halted, nil, "Stopped."},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			talk(t, greenhouse(t, "en", tc.state), tc.talk)
		})
	}
}

// A vent that jams is told, and what depended on it is not done.
func TestGreenhouseVentJams(t *testing.T) {
	r := greenhouse(t, "en", "", "blocked:vent_west_opening@60")
	turn := say(t, r, "heat to 18 degrees")
	if strings.Contains(strings.Join(onWire(turn), " "), "heater") || r.Bench.Car.Get("heater").String() != "FROST_GUARD" {
		t.Errorf("sent %v", onWire(turn))
	}
	if turn.Reply == "" || !strings.Contains(turn.Reply, "west vent") || !strings.Contains(turn.Reply, "heat") {
		t.Errorf("reply %q", turn.Reply)
	}
	t.Log(turn.Reply)
}

// The same house in German.
func TestGreenhouseInGerman(t *testing.T) {
	r := greenhouse(t, "de", "vent_north_opening=0,vent_east_opening=0,lamp_south=0")
	talk(t, r, []said{
		{"Heize auf 18 Grad", harness.Spoke, []string{"field 280#FFFFFF00", "mqtt set/heater/mode 2", "mqtt set/heater/temperature 18"},
			"Okay, die Klappe im Westen ist zu und die Heizung hält 18 Grad."},
		{"Schalte das Kohlendioxid ein", harness.Asked, nil, "Das braucht ein klares Ja. Soll ich trotzdem Kohlendioxid einlassen?"},
		{"ja, bitte", harness.Spoke, []string{"mqtt set/co2/dosing true"}, "Okay, Kohlendioxid wird eingelassen."},
		{"Öffne die Klappe im Norden auf 20 Prozent", harness.Spoke, nil,
			"Das habe ich nicht gemacht: die Klappe im Norden auf 20 Prozent öffnen. Dann wäre das Kohlendioxid wieder weg."},
		{"Ist die Tür offen?", harness.Spoke, nil, "Die Tür ist zu."},
		{"Gieße das Beet im Norden", harness.Spoke, []string{"field 282#FD"}, "Okay, das Beet im Norden wird gegossen."},
		{"Stopp!", harness.Halted, nil, "Gestoppt."},
	})
}

// talk says one thing after the other and compares what comes of it.
func talk(t *testing.T, r *rig.Rig, all []said) {
	t.Helper()
	for _, s := range all {
		turn := say(t, r, s.say)
		if d := cmp.Diff(s.wire, onWire(turn)); d != "" {
			t.Errorf("%s: sent (-want +got):\n%s", s.say, d)
		}
		if turn.Outcome != s.outcome || turn.Reply != s.reply {
			t.Errorf("%s: %s, reply\n%s\nwant %s\n%s", s.say, turn.Outcome, turn.Reply, s.outcome, s.reply)
		}
	}
}
