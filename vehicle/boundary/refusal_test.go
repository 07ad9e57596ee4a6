// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func TestRefusals(t *testing.T) {
	set := func(name string, v vehicle.Value) func(*vehicletest.Bench) {
		return func(b *vehicletest.Bench) {
			b.Car.Set(name, v)
			time.Sleep(time.Second)
		}
	}
	mute := func(name string) func(*vehicletest.Bench) {
		return func(b *vehicletest.Bench) {
			b.Car.Mute(name, true)
			time.Sleep(1100 * time.Millisecond)
		}
	}
	for _, c := range []struct {
		name     string
		setup    func(*vehicletest.Bench)
		signal   string
		value    vehicle.Value
		change   func(*vehicle.Command)
		gate     vehicle.Gate
		evidence string
	}{
		{name: "a signal without command", signal: "vehicle_speed", value: number(0), gate: vehicle.GateAllowList, evidence: "declares no command"},
		{name: "no signal at all", signal: "fan_speed", value: number(1), change: func(c *vehicle.Command) { c.Signal = 999 }, gate: vehicle.GateAllowList},
		{name: "a negative signal", signal: "fan_speed", value: number(1), change: func(c *vehicle.Command) { c.Signal = -1 }, gate: vehicle.GateAllowList},
		{name: "above the range", signal: "window_driver_position", value: number(101), gate: vehicle.GateRange, evidence: "101 is outside 0..100"},
		{name: "below the range", signal: "window_driver_position", value: number(-1), gate: vehicle.GateRange},
		{name: "a fraction of an integer", signal: "fan_speed", value: number(1.5), gate: vehicle.GateRange},
		{name: "no member", signal: "ambient_light", value: text("GREEN"), gate: vehicle.GateRange},
		{name: "unknown", signal: "fan_speed", value: vehicle.Value{}, gate: vehicle.GateRange},
		{name: "an old epoch", signal: "window_driver_position", value: number(1), change: func(c *vehicle.Command) { c.Epoch-- }, gate: vehicle.GateStop},
		{name: "no epoch", signal: "window_driver_position", value: number(1), change: func(c *vehicle.Command) { c.Epoch = 0 }, gate: vehicle.GateStop, evidence: "does not say in which epoch"},
		{name: "moving", setup: set("vehicle_speed", number(0.5)), signal: "trunk_door_position", value: text("OPEN"),
			gate: vehicle.GateInterlock, evidence: "vehicle_speed = 0.5 km/h > 0"},
		{name: "not in park", setup: set("gear", text("D")), signal: "trunk_door_position", value: text("OPEN"), gate: vehicle.GateInterlock, evidence: "gear = D, not P"},
		{name: "speed is stale", setup: mute("vehicle_speed"), signal: "trunk_door_position", value: text("OPEN"), gate: vehicle.GateFreshness, evidence: "vehicle_speed = 0 km/h is stale: last observed 1."},
		{name: "speed is stale for this need sooner than elsewhere", setup: func(b *vehicletest.Bench) {
			b.Car.Mute("vehicle_speed", true)
			time.Sleep(600 * time.Millisecond)
		}, signal: "trunk_door_position", value: text("OPEN"), gate: vehicle.GateFreshness, evidence: "is stale: last observed"},
		{name: "closing with ignition off", setup: func(b *vehicletest.Bench) {
			b.Car.Set("window_driver_position", number(50))
			set("ignition", vehicle.BoolOf(false))(b)
		}, signal: "window_driver_position", value: number(49), gate: vehicle.GateInterlock, evidence: "ignition = false, not true"},
		{name: "perhaps closing with ignition off", setup: func(b *vehicletest.Bench) {
			b.Car.Set("ignition", vehicle.BoolOf(false))
			mute("window_driver_position")(b)
		}, signal: "window_driver_position", value: number(100), gate: vehicle.GateInterlock},
		{name: "bus off", setup: func(b *vehicletest.Bench) { b.Exchange.SetLink("body", canbus.Link{State: canbus.LinkBusOff}) },
			signal: "fan_speed", value: number(1), gate: vehicle.GateLink, evidence: "bus body is bus-off"},
		{name: "error-passive", setup: func(b *vehicletest.Bench) { b.Exchange.SetLink("body", canbus.Link{State: canbus.LinkPassive}) },
			signal: "fan_speed", value: number(1), gate: vehicle.GateLink},
		{name: "broker down", setup: func(b *vehicletest.Bench) { b.Broker.SetDown(true) }, signal: "ambient_light", value: text("RED"), gate: vehicle.GateLink, evidence: "broker is not connected"},
		{name: "nobody knows the rest of the frame", setup: mute("air_conditioning"), signal: "fan_speed", value: number(1), gate: vehicle.GateBase, evidence: "AirConditioningTarget"},
		{name: "the rest of the frame is moving", setup: func(b *vehicletest.Bench) {
			b.Car.Set("sunroof_position", number(40))
			time.Sleep(150 * time.Millisecond)
		}, signal: "sunshade_position", value: number(100), gate: vehicle.GateBase, evidence: "SunroofTarget (it is moving)"},
		{name: "the sender does not want it any more", signal: "fan_speed", value: number(1), change: func(c *vehicle.Command) {
			c.Guard = func(vehicle.Command) error { return errors.New("the driver said no") }
		}, gate: vehicle.GateConsent, evidence: "the driver said no"},
		{name: "a guard that panics", signal: "fan_speed", value: number(1), change: func(c *vehicle.Command) {
			c.Guard = func(vehicle.Command) error { panic("nil map") }
		}, gate: vehicle.GatePanic, evidence: "nil map"},
		{name: "a gate that panics", setup: func(b *vehicletest.Bench) { b.Profile.Limits.Interlocks[0].Need[0].Signal = 999 },
			signal: "trunk_door_position", value: text("OPEN"), gate: vehicle.GatePanic, evidence: "out of range"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				if c.setup != nil {
					c.setup(b)
				}
				cmd := command(b, c.signal, c.value)
				if c.change != nil {
					c.change(&cmd)
				}
				_, err := b.Boundary.Write(t.Context(), cmd)
				r := refusal(t, err)
				if r.Gate != c.gate || !strings.Contains(r.Evidence, c.evidence) {
					t.Fatalf("refused by %s: %s; want %s with %q", r.Gate, r.Evidence, c.gate, c.evidence)
				}
				if n := len(b.Car.Received()) + len(b.Broker.Received()); n != 0 {
					t.Fatalf("%d frames left", n)
				}
				if s := b.Boundary.Stats(); s.Refused[c.gate] != 1 || len(s.Sent) != 0 {
					t.Fatalf("counted %+v", s)
				}
				if got := b.Refused(); len(got) != 1 || got[0].Gate != c.gate {
					t.Fatalf("reported %v", got)
				}
				if cmd.Guard != nil {
					return // Check does not ask it
				}
				if r := refusal(t, b.Boundary.Check(cmd)); r.Gate != c.gate {
					t.Fatalf("check refuses by %s", r.Gate)
				}
			})
		})
	}
}

func TestRefusalSpeaks(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		b.Car.Set("vehicle_speed", number(42))
		time.Sleep(time.Second)
		_, err := b.Boundary.Write(t.Context(), command(b, "trunk_door_position", text("OPEN")))
		r := refusal(t, err)
		if r.Rule != "trunk-at-standstill" || r.Signal != "trunk_door_position" || r.Text["de"] == "" || r.Text["en"] == "" {
			t.Fatalf("refusal %+v", r)
		}
		if want := "trunk_door_position refused by interlock trunk-at-standstill: vehicle_speed = 42 km/h > 0"; r.Error() != want {
			t.Fatalf("says %q, want %q", r, want)
		}
	})
}
