// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// onBench runs f in a bubble where time passes only while everybody waits,
// with a car that has stood still for two seconds;
// it sends its status every 100 ms.
func onBench(t *testing.T, f func(t *testing.T, b *vehicletest.Bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := vehicletest.NewBench(vehicle.NewSystemClock())
		defer b.Close()
		time.Sleep(2010 * time.Millisecond) // between two status frames
		f(t, b)
	})
}

func number(f float64) vehicle.Value { return vehicle.NumberOf(f) }
func text(s string) vehicle.Value    { return vehicle.TextOf(s) }

// command is a command of the present epoch.
func command(b *vehicletest.Bench, signal string, v vehicle.Value) vehicle.Command {
	epoch, _ := b.Boundary.Epoch()
	return vehicle.Command{Signal: b.Signal(signal), Value: v, Call: "c1", Epoch: epoch}
}

func refusal(t *testing.T, err error) *vehicle.Refusal {
	t.Helper()
	var r *vehicle.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("got %v, want a refusal", err)
	}
	return r
}

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
		{name: "no epoch", signal: "window_driver_position", value: number(1), change: func(c *vehicle.Command) { c.Epoch = 0 }, gate: vehicle.GateStop},
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

func TestFramesThatLeave(t *testing.T) {
	for _, c := range []struct {
		name   string
		setup  func(*vehicletest.Bench)
		signal string
		value  vehicle.Value
		want   string
	}{
		{"the rest is idle", nil, "window_driver_position", number(25), "100#19FF"},
		{"an extended identifier", nil, "trunk_door_position", text("OPEN"), "18FEF100#01"},
		{"the rest is what is observed", func(b *vehicletest.Bench) {
			b.Car.Set("air_conditioning", vehicle.BoolOf(true))
			time.Sleep(time.Second)
		}, "fan_speed", number(3), "110#1300"},
		{"the rest is what is under way", func(b *vehicletest.Bench) {
			b.Car.Script("air_conditioning", vehicletest.Script{Ignore: true})
			if _, err := b.Boundary.Write(context.Background(), command(b, "air_conditioning", vehicle.BoolOf(true))); err != nil {
				panic(err)
			}
		}, "fan_speed", number(3), "110#1300"},
		{"the rest is what another node sends", func(b *vehicletest.Bench) {
			f, _ := canbus.ParseFrame("110#1055") // with bits that no signal has
			if err := b.Exchange.Join("body").Send(context.Background(), f); err != nil {
				panic(err)
			}
			synctest.Wait()
		}, "fan_speed", number(3), "110#1355"},
		{"opening with ignition off", func(b *vehicletest.Bench) {
			b.Car.Set("ignition", vehicle.BoolOf(false))
			time.Sleep(time.Second)
		}, "window_driver_position", number(50), "100#32FF"},
		{"stop is guarded by no target", func(b *vehicletest.Bench) {
			b.Car.Set("vehicle_speed", number(42))
			time.Sleep(time.Second)
		}, "trunk_door_position", text("STOPPED"), "18FEF100#03"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				if c.setup != nil {
					c.setup(b)
				}
				sent, err := b.Boundary.Write(t.Context(), command(b, c.signal, c.value))
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				got := b.Car.Received()
				if sent.Text != c.want || sent.Bus != "body" || got[len(got)-1].String() != c.want {
					t.Fatalf("sent %s, received %v, want %s", sent.Text, got, c.want)
				}
			})
		})
	}
}

func TestTopicThatLeaves(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		sent, err := b.Boundary.Write(t.Context(), command(b, "ambient_light", text("BLUE")))
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Broker.Received(); len(got) != 1 || got[0] != (vehicletest.Message{Topic: "set/ambient_light", Payload: "blue"}) || sent.Text != "set/ambient_light blue" {
			t.Fatalf("sent %s, received %v", sent.Text, got)
		}
	})
}

// A speed that crosses the limit after everything was decided is seen by the
// goroutine that sends.
func TestInterlockIsAskedRightBeforeTheFrame(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		cmd := command(b, "trunk_door_position", text("OPEN"))
		cmd.Guard = func(vehicle.Command) error {
			b.Car.Set("vehicle_speed", number(3))
			time.Sleep(150 * time.Millisecond) // a status frame comes in
			return nil
		}
		if err := b.Boundary.Check(cmd); err != nil {
			t.Fatalf("not allowed to begin with: %v", err)
		}
		_, err := b.Boundary.Write(t.Context(), cmd)
		if r := refusal(t, err); r.Gate != vehicle.GateInterlock || len(b.Car.Received()) != 0 {
			t.Fatalf("%v, received %v", err, b.Car.Received())
		}
	})
}

func TestOppositeCommands(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		open, shut := command(b, "window_driver_position", number(100)), command(b, "window_driver_position", number(0))
		shut.Call = "c2"
		sent, err := b.Boundary.Write(t.Context(), open)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		_, err = b.Boundary.Write(t.Context(), shut)
		if r := refusal(t, err); r.Gate != vehicle.GateConflict || !strings.Contains(r.Evidence, "towards 100 %") {
			t.Fatal(err)
		}
		same := open
		same.Call = "c3"
		if _, err := b.Boundary.Write(t.Context(), same); err != nil {
			t.Fatalf("the same target is no conflict: %v", err)
		}
		sent.End() // of c1; c3 still waits
		_, err = b.Boundary.Write(t.Context(), shut)
		refusal(t, err)
		if b.Boundary.Stats().UnderWay != 1 {
			t.Fatalf("counted %+v", b.Boundary.Stats())
		}
		if _, err := b.Boundary.Stop(t.Context()); err != nil {
			t.Fatalf("a stop is refused: %v", err)
		}
		shut.Epoch, _ = b.Boundary.Epoch()
		if _, err := b.Boundary.Write(t.Context(), shut); err != nil {
			t.Fatalf("after the stop nothing is under way: %v", err)
		}
		time.Sleep(3 * time.Second)
		if _, err := b.Boundary.Write(t.Context(), command(b, "window_driver_position", number(60))); err != nil {
			t.Fatalf("after the target was observed nothing is under way: %v", err)
		}
		b.Car.Mute("window_driver_position", true)
		time.Sleep(9 * time.Second)
		shut.Call = "c9"
		if _, err := b.Boundary.Write(t.Context(), shut); err != nil {
			t.Fatalf("an overdue command is not under way: %v", err)
		}
	})
}

func TestRates(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		write := func() error {
			_, err := b.Boundary.Write(t.Context(), command(b, "trunk_door_position", text("OPEN")))
			return err
		}
		for range 2 {
			if err := write(); err != nil {
				t.Fatal(err)
			}
		}
		if r := refusal(t, write()); r.Gate != vehicle.GateRate || r.Evidence != "more than 2 in 10s" {
			t.Fatal(r)
		}
		time.Sleep(5 * time.Second)
		if err := write(); err != nil {
			t.Fatalf("a token is back after half the time: %v", err)
		}
		refusal(t, write())

		// The budget of the bus is for all signals together.
		time.Sleep(time.Second)
		sent := 0
		for i := range 200 {
			_, err := b.Boundary.Write(t.Context(), command(b, "fan_speed", number(float64(i%5))))
			if err == nil {
				sent++
			} else if r := refusal(t, err); r.Gate != vehicle.GateRate || r.Rule != "body" {
				t.Fatal(r)
			}
		}
		if sent != 50 {
			t.Fatalf("%d frames left at once, want 50", sent)
		}
		time.Sleep(100 * time.Millisecond)
		for i := range 6 {
			_, err := b.Boundary.Write(t.Context(), command(b, "fan_speed", number(0)))
			if (err == nil) != (i < 5) {
				t.Fatalf("write %d after a tenth of a second: %v", i, err)
			}
		}
	})
}

func TestNewRefusesWhatItCannotSend(t *testing.T) {
	clock := vehicle.NewSystemClock()
	for _, c := range []struct {
		name  string
		spoil func(*vehicle.Profile)
		want  string
	}{
		{"no bus", func(p *vehicle.Profile) { p.Signal("fan_speed").Command.Bus = "chassis" }, `bus "chassis" is not connected`},
		{"no message", func(p *vehicle.Profile) { p.Signal("fan_speed").Command.Message = "Nothing" }, `no message "Nothing"`},
		{"no signal", func(p *vehicle.Profile) { p.Signal("fan_speed").Command.Signal = "Nothing" }, `no signal "Nothing"`},
		{"no place", func(p *vehicle.Profile) { p.Signal("fan_speed").Command = &vehicle.Binding{} }, "neither bus nor topic"},
		{"protected", func(p *vehicle.Profile) {
			m, _ := p.Buses[0].DB.Message("ClimateCommand")
			m.Protected = true
		}, "protected by a counter and checksum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := vehicletest.Profile()
			c.spoil(p)
			x := &canbus.Exchange{Sync: true}
			_, err := boundary.New(boundary.Config{Live: vehicle.NewLive(p, clock), Clock: clock, Buses: map[string]boundary.Bus{"body": x.Join("body")}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestAllowList(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		var got []string
		for _, a := range b.Boundary.AllowList() {
			got = append(got, fmt.Sprintf("%s %s %s%s %d [%s]", a.Signal, a.Bus, a.ID, a.Topic, a.Length, a.Mask))
		}
		want := `window_driver_position body 100 2 [FF 00]
window_passenger_position body 100 2 [00 FF]
sunroof_position body 102 2 [FF 00]
sunshade_position body 102 2 [00 FF]
fan_speed body 110 2 [0F 00]
air_conditioning body 110 2 [10 00]
trunk_door_position body 18FEF100 1 [03]
ambient_light mqtt set/ambient_light 0 []`
		if s := strings.Join(got, "\n"); s != want {
			t.Fatalf("allow-list is\n%s\nwant\n%s", s, want)
		}
	})
}

func TestClosedBoundarySendsNothing(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		b.Boundary.Close()
		_, err := b.Boundary.Stop(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, cmd := range []vehicle.Command{command(b, "window_driver_position", number(1)), command(b, "fan_speed", number(1)), command(b, "ambient_light", text("RED"))} {
			_, err = b.Boundary.Write(t.Context(), cmd)
			if r := refusal(t, err); r.Gate != vehicle.GateStop {
				t.Fatal(r)
			}
		}
	})
}
