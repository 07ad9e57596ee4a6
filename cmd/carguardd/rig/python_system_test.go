// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package rig_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cross/peerstest"
	"github.com/carguardd/carguardd/harness"
)

// python-can on the bench's body bus sees the command frames of a turn and
// what became of them; what it says about the car is what the next turn is
// judged on.
func TestSystemPythonCanOnTheBench(t *testing.T) {
	port := peerstest.FreePort(t)
	r := bench(t, func(o *rig.Options) { o.Listen = map[string]string{"body": "127.0.0.1:" + port} })
	n := join(t, port, "body")
	n.Sees("the air conditioning off", peerstest.Says("ClimateStatus", "AirConditioning", 0))

	turn := say(t, r, "turn on the air conditioning")
	_, before := n.Sees("the air conditioning on", peerstest.Says("ClimateStatus", "AirConditioning", 1))
	want := []string{"WindowDriverTarget=0", "WindowPassengerTarget=0", "FanLevelTarget=1", "AirConditioningRequest=1"}
	if d := cmp.Diff(want, peerstest.Commands(before)); d != "" || turn.Outcome != harness.Spoke {
		t.Errorf("commands on the bus (-want +got):\n%s\nreply: %s", d, turn.Reply)
	}
	seen := len(peerstest.Commands(before))

	// It plays the driver's hand: the windows are open again, the fan is off.
	for i, tc := range []struct {
		name string
		send []string
		sets map[string]any
		say  string
		want []string
	}{
		{"two windows", []string{"WindowStatus WindowDriverPosition=0 WindowPassengerPosition=60 WindowDriverRearPosition=21 WindowPassengerRearPosition=20", "ClimateStatus AirConditioning=0 FanLevel=3"},
			map[string]any{"window_driver_position": 0.0, "window_passenger_position": 60.0, "window_driver_rear_position": 21.0, "fan_speed": 3.0, "air_conditioning": false},
			"turn on the air conditioning", []string{"WindowPassengerTarget=0", "WindowDriverRearTarget=0", "AirConditioningRequest=1"}},
		{"nothing owed", []string{"WindowStatus WindowDriverPosition=20 WindowPassengerPosition=0 WindowDriverRearPosition=0 WindowPassengerRearPosition=0", "ClimateStatus AirConditioning=0 FanLevel=1"},
			map[string]any{"window_driver_position": 20.0, "window_passenger_position": 0.0, "fan_speed": 1.0, "air_conditioning": false},
			"turn on the air conditioning", []string{"AirConditioningRequest=1"}},
		{"fog lights on", []string{"ExteriorLightStatus FogLights=1 LowBeams=1 HighBeams=0"},
			map[string]any{"fog_lights": true, "head_lights_low_beams": true, "head_lights_high_beams": false},
			"turn on the high beams", nil},
	} {
		for _, s := range tc.send {
			n.Tell("send %s", s)
		}
		await(t, tc.name+": what python-can said in GET /v1/state", func() bool {
			state := observed(t, r)
			for k, v := range tc.sets {
				if state[k] != v {
					return false
				}
			}
			return true
		})
		turn := say(t, r, tc.say)
		// A status frame marks the end of what the turn sent.
		light := float64((i + 1) % 2)
		n.Tell("send ReadingLightStatus ReadingLightDriver=%v", light)
		_, before := n.Sees("the mark", peerstest.Says("ReadingLightStatus", "ReadingLightDriver", light))
		if d := cmp.Diff(tc.want, peerstest.Commands(before)); d != "" {
			t.Errorf("%s: commands on the bus (-want +got):\n%s\nreply: %s", tc.name, d, turn.Reply)
		}
		seen += len(peerstest.Commands(before))
	}
	peerstest.Count(t, peerstest.Load, "turns judged on what python-can said of the car", 4)
	peerstest.Count(t, peerstest.Load, "command frames python-can saw and canmatrix decoded", seen)
}
