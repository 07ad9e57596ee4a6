// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// judged asks the boundary whether it would send the command now.
func judged(r *rig.Rig, signal, value string) (rule string, gate vehicle.Gate) {
	epoch, _ := r.System.Boundary.Epoch()
	err := r.System.Boundary.Check(vehicle.Command{Signal: r.System.Profile.Signal(signal).ID, Value: vehicle.MustJSON(value), Call: "c1", Epoch: epoch})
	var refused *vehicle.Refusal
	if errors.As(err, &refused) {
		return refused.Rule, refused.Gate
	}
	if err != nil {
		return err.Error(), "error"
	}
	return "", ""
}

// Every interlock of the demonstration's car forbids what it is for, and
// nothing beside it.
func TestInterlocksOfTheDemo(t *testing.T) {
	type command struct{ signal, value, rule string } // no rule: it may leave
	// windows are the four windows, each with its own interlock of one name.
	windows := func(value, rule string) (l []command) {
		for _, w := range []string{"driver", "passenger", "driver_rear", "passenger_rear"} {
			l = append(l, command{"window_" + w + "_position", value, rule})
		}
		return l
	}
	const (
		open    = "window_driver_position=50,window_passenger_position=50,window_driver_rear_position=50,window_passenger_rear_position=50,sunroof_position=50,sunshade_position=100"
		plugged = ",charge_cable_connected=true"
	)
	tripped := map[string]bool{}
	var all []string
	for _, tc := range []struct {
		name, state string
		faults      []string
		gate        vehicle.Gate // of every refusal
		want        []command
	}{
		{"parked", open, nil, vehicle.GateInterlock, append(windows("0", ""),
			command{"trunk_door_position", `"open"`, ""}, command{"charge_flap", `"open"`, ""}, command{"charge_flap", `"closed"`, ""},
			command{"is_charging", "true", "charging-with-cable"}, command{"is_charging", "false", ""},
			command{"sunroof_position", "0", ""}, command{"head_lights_low_beams", "false", ""})},
		{"plugged in", open + plugged, nil, vehicle.GateInterlock, []command{
			{"charge_flap", `"closed"`, "charge-flap-open-with-cable"}, {"charge_flap", `"open"`, ""}, {"is_charging", "true", ""}}},
		{"rolling", open + ",vehicle_speed=1,selected_gear=DRIVE", nil, vehicle.GateInterlock, append(windows("0", ""),
			command{"trunk_door_position", `"open"`, "trunk-at-standstill"}, command{"charge_flap", `"open"`, "charge-flap-at-standstill"},
			command{"head_lights_low_beams", "false", "low-beams-stay-on-while-driving"}, command{"head_lights_low_beams", "true", ""},
			command{"sunroof_position", "60", ""})},
		{"standing in gear", open + ",selected_gear=DRIVE", nil, vehicle.GateInterlock, []command{
			{"trunk_door_position", `"closed"`, "trunk-at-standstill"}, {"charge_flap", `"open"`, "charge-flap-at-standstill"}}},
		{"rolling in park", open + ",vehicle_speed=1,selected_gear=PARK", nil, vehicle.GateInterlock, []command{
			{"trunk_door_position", `"open"`, "trunk-at-standstill"}, {"charge_flap", `"open"`, "charge-flap-at-standstill"}}},
		{"fast", open + ",vehicle_speed=140,selected_gear=DRIVE", nil, vehicle.GateInterlock, []command{
			{"sunroof_position", "60", "sunroof-opens-below-130"}, {"sunroof_position", "40", ""}}},
		{"ignition off", open + ",ignition=OFF", nil, vehicle.GateInterlock, slices.Concat(windows("40", "windows-close-with-ignition"), windows("60", ""),
			[]command{{"sunroof_position", "40", "sunroof-closes-with-ignition"}, {"sunroof_position", "60", ""}})},
		{"nobody tells the speed", open, []string{"stale:vehicle_speed"}, vehicle.GateFreshness, slices.Concat(
			windows("60", "windows-with-known-speed"), windows("40", "windows-with-known-speed"), []command{
				{"sunroof_position", "40", "sunroof-with-known-speed"}, {"sunshade_position", "40", "sunshade-with-known-speed"},
				{"trunk_door_position", `"open"`, "trunk-at-standstill"}, {"charge_flap", `"open"`, "charge-flap-at-standstill"},
				{"head_lights_low_beams", "false", "low-beams-stay-on-while-driving"}, {"head_lights_low_beams", "true", ""}})},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, _ := start(t, tc.state, tc.faults)
			for id := r.System.Profile.Signal("vehicle_speed").ID; len(tc.faults) > 0 && r.System.Live.Get(id).Fresh; {
				time.Sleep(10 * time.Millisecond)
			}
			for _, il := range r.System.Profile.Limits.Interlocks {
				all = append(all, il.Name)
			}
			for _, c := range tc.want {
				rule, gate := judged(r, c.signal, c.value)
				if rule != c.rule || (rule != "" && gate != tc.gate) {
					t.Errorf("%s := %s is refused by %q (%s), want %q", c.signal, c.value, rule, gate, c.rule)
				}
				tripped[rule] = true
			}
		})
	}
	delete(tripped, "")
	slices.Sort(all)
	if want, got := slices.Compact(all), slices.Sorted(maps.Keys(tripped)); !slices.Equal(want, got) {
		t.Errorf("tripped %v of %v", got, want)
	}
}

// What moves, and what wears out, is commanded only so often in ten seconds.
func TestRatesOfTheDemo(t *testing.T) {
	clock := vehicletest.NewClock(time.Date(2026, 3, 14, 10, 30, 0, 0, time.UTC))
	r, err := rig.New(context.Background(), rig.Options{
		Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en",
		Fast: true, Clock: clock, Log: zerolog.Nop(), State: "charge_cable_connected=true,charge_flap=open",
		Student: func(system.Words) (harness.Student, error) { return harnesstest.NewStudent(), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	want := map[string]int{
		"window_driver_position": 20, "window_passenger_position": 20, "window_driver_rear_position": 20, "window_passenger_rear_position": 20,
		"sunroof_position": 20, "sunshade_position": 20, "trunk_door_position": 6, "charge_flap": 6, "is_charging": 6, "charge_limit": 20,
		"fog_lights": 20, "head_lights_low_beams": 20, "head_lights_high_beams": 20,
	}
	got := map[string]int{}
	for _, rate := range r.System.Profile.Limits.Rates {
		s := r.System.Profile.Signals[rate.Signal]
		clock.Leap(10 * time.Second) // every bucket is full again
		epoch, _ := r.System.Boundary.Epoch()
		cmd := vehicle.Command{Signal: s.ID, Value: r.System.Live.Value(s.ID), Call: "c1", Epoch: epoch}
		for {
			_, err := r.System.Boundary.Write(context.Background(), cmd)
			var refused *vehicle.Refusal
			if errors.As(err, &refused) && refused.Gate == vehicle.GateRate && refused.Rule == s.Name {
				break
			}
			if err != nil {
				t.Fatalf("%s after %d: %v", s.Name, got[s.Name], err)
			}
			if got[s.Name]++; got[s.Name] > 45 { // less than the bus takes
				break
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("commands until one is refused (-want +got):\n%s", d)
	}
}
