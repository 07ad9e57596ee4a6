// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func frame(t *testing.T, s string) canbus.Frame {
	t.Helper()
	f, err := canbus.ParseFrame(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSendFrame(t *testing.T) {
	for _, c := range []struct {
		name, bus, frame string
		setup            func(*vehicletest.Bench)
		gate             vehicle.Gate // empty: it leaves
		evidence         string
	}{
		{name: "one command", frame: "100#19FF"},
		{name: "two commands", frame: "100#190A"},
		{name: "an extended identifier", frame: "18FEF100#01"},
		{name: "two settings", frame: "110#1300"},
		{name: "another bus", bus: "chassis", frame: "100#19FF", gate: vehicle.GateAllowList, evidence: `on bus "chassis"`},
		{name: "a status message", frame: "101#000000", gate: vehicle.GateAllowList, evidence: "no command"},
		{name: "the same identifier extended", frame: "00000100#19FF", gate: vehicle.GateAllowList},
		{name: "the same identifier standard", frame: "100#01", gate: vehicle.GateAllowList, evidence: "1 bytes"},
		{name: "too long", frame: "100#19FF00", gate: vehicle.GateAllowList, evidence: "3 bytes, message WindowCommand has 2"},
		{name: "remote", frame: "100#R2", gate: vehicle.GateAllowList, evidence: "remote"},
		{name: "nothing asked", frame: "100#FFFF", gate: vehicle.GateAllowList, evidence: "commands nothing"},
		{name: "bits of nobody", frame: "110#1301", gate: vehicle.GateAllowList, evidence: "which no command may"},
		{name: "bits of nobody beside the signals", frame: "110#3300", gate: vehicle.GateAllowList, evidence: "20 00"},
		{name: "a value that is none", frame: "100#C8FF", gate: vehicle.GateRange},
		{name: "a second value that is none", frame: "100#19C8", gate: vehicle.GateRange},
		{name: "above the signal's range but not the frame's", frame: "110#0700", gate: vehicle.GateRange, evidence: "7 is outside 0..5"},
		{name: "interlock", frame: "18FEF100#01", setup: func(b *vehicletest.Bench) { b.Car.Set("vehicle_speed", number(7)) }, gate: vehicle.GateInterlock},
		{name: "interlock of the second command", frame: "102#6464", gate: vehicle.GateInterlock, evidence: "sunshade_position = 0 % < 99"},
		{name: "bus down", frame: "100#19FF", setup: func(b *vehicletest.Bench) {
			b.Exchange.SetLink("body", canbus.Link{State: canbus.LinkDown})
		}, gate: vehicle.GateLink},
		{name: "against a command under way", frame: "100#19FF", setup: func(b *vehicletest.Bench) {
			if _, err := b.Boundary.Write(context.Background(), command(b, "window_driver_position", number(90))); err != nil {
				panic(err)
			}
		}, gate: vehicle.GateConflict},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				if c.setup != nil {
					c.setup(b)
					time.Sleep(300 * time.Millisecond)
				}
				if c.bus == "" {
					c.bus = "body"
				}
				before := len(b.Car.Received())
				sent, err := b.Boundary.SendFrame(t.Context(), c.bus, frame(t, c.frame))
				synctest.Wait()
				got := b.Car.Received()[before:]
				if c.gate == "" {
					if err != nil || sent.Text != c.frame || len(got) != 1 || got[0].String() != c.frame {
						t.Fatalf("sent %q, received %v: %v", sent.Text, got, err)
					}
					return
				}
				if r := refusal(t, err); r.Gate != c.gate || !strings.Contains(r.Evidence, c.evidence) {
					t.Fatalf("refused by %s: %s; want %s with %q", r.Gate, r.Evidence, c.gate, c.evidence)
				}
				if len(got) != 0 {
					t.Fatalf("%v left", got)
				}
			})
		})
	}
}

// Of all standard identifiers and a thousand extended ones only those of
// command messages leave, whatever is in them.
func TestOnlyListedIdentifiersLeave(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		random := rand.New(rand.NewPCG(1, 2))
		allowed := map[canbus.Key]bool{}
		for _, a := range b.Boundary.AllowList() {
			if a.Topic == "" {
				allowed[a.Key] = true
			}
		}
		var keys []canbus.Key
		for id := range uint32(1 << 11) {
			keys = append(keys, canbus.MakeKey(id, false))
		}
		for range 1000 {
			keys = append(keys, canbus.MakeKey(random.Uint32()&canbus.MaxExtendedID, true))
		}
		keys = append(keys, canbus.MakeKey(0x18FEF100, true))
		left := map[canbus.Key]bool{}
		for _, k := range keys {
			for try := range 9 {
				f := canbus.Frame{ID: k.ID(), IsExtended: k.Extended(), Length: uint8(try)}
				for i := range try {
					f.Data[i] = byte(random.Uint32() & 3)
				}
				if allowed[k] {
					time.Sleep(20 * time.Second) // no rate and no other command is in the way
				}
				_, err := b.Boundary.SendFrame(t.Context(), "body", f)
				if err == nil && !allowed[k] {
					t.Fatalf("%v left", f)
				}
				if err == nil {
					left[k] = true
				}
			}
		}
		for _, f := range b.Car.Received() {
			if !allowed[f.Key()] {
				t.Fatalf("%v left", f)
			}
		}
		if len(left) < 2 { // so that not everything was refused for another reason
			t.Fatalf("only %v left", left)
		}
	})
}

// Whatever is asked for, what leaves stands on the list, with the right
// length, and says nothing but what was asked.
func TestEveryFrameIsACommand(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		type ask struct {
			signal int
			value  float64
			bool   bool
			kind   int
			wait   int
		}
		asks := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ask {
			return ask{rapid.IntRange(-1, 15).Draw(t, "signal"), rapid.Float64Range(-10, 120).Draw(t, "value"),
				rapid.Bool().Draw(t, "bool"), rapid.IntRange(0, 3).Draw(t, "kind"), rapid.IntRange(0, 3000).Draw(t, "wait")}
		}), 1, 30).Draw(rt, "asks")
		synctest.Test(t, func(t *testing.T) {
			b := vehicletest.NewBench(vehicle.NewSystemClock())
			defer b.Close()
			time.Sleep(2 * time.Second)
			for _, a := range asks {
				v := [...]vehicle.Value{number(a.value), number(float64(int(a.value))), vehicle.BoolOf(a.bool), text("OPEN")}[a.kind]
				epoch, _ := b.Boundary.Epoch()
				before := len(b.Car.Received())
				_, err := b.Boundary.Write(t.Context(), vehicle.Command{Signal: vehicle.SignalID(a.signal), Value: v, Epoch: epoch})
				synctest.Wait()
				got := b.Car.Received()[before:]
				if a.signal < 0 || a.signal >= len(b.Profile.Signals) {
					if err == nil {
						t.Fatal("a signal that is none was written")
					}
					continue
				}
				s := b.Profile.Signals[a.signal]
				if err == nil && (s.Command == nil || s.Check(v) != nil) {
					t.Fatalf("%s = %v left", s.Name, v)
				}
				if s.Status != nil && s.Status.Bus == "body" && (err == nil) != (len(got) == 1) {
					t.Fatalf("%s = %v: %v, received %v", s.Name, v, err, got)
				}
				for _, f := range got {
					w, werr := vehicle.NewWire(s, s.Command, b.Profile.Buses[0].DB)
					if werr != nil || f.Key() != w.Key() || int(f.Length) != w.Length() {
						t.Fatalf("%v left for %s", f, s.Name)
					}
					values, _ := w.Message().Decode(f, nil)
					for _, x := range values {
						if x.Signal == w.DBC && !w.Value(x).Equal(v) {
							t.Fatalf("%v says %v for %v", f, x, v)
						}
					}
				}
				time.Sleep(time.Duration(a.wait) * time.Millisecond)
			}
		})
	})
}
