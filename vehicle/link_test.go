// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func parseFrame(t testing.TB, s string) canbus.Frame {
	t.Helper()
	f, err := canbus.ParseFrame(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCANLink(t *testing.T) {
	p := vehicletest.Profile()
	clock := vehicletest.NewClock(epoch)
	live := vehicle.NewLive(p, clock)
	var reports []string
	link, err := vehicle.NewCANLink(live, "body", p.Databases()["body"], func(bus string, l canbus.Link) { reports = append(reports, bus+" "+l.State.String()) })
	if err != nil {
		t.Fatal(err)
	}
	value := func(name string) string { return live.Value(p.Signal(name).ID).String() }
	rx := func(s string) {
		link.Handle(canbus.Event{Kind: canbus.FrameEvent, Time: clock.Now(), Frame: parseFrame(t, s)})
	}
	for _, c := range []struct {
		name, frame, signal, want string
	}{
		{"a number", "200#2A000400", "vehicle_speed", "4.2"},
		{"an enum", "200#2A000700", "gear", "D"},
		{"a boolean", "200#2A000700", "ignition", "true"},
		{"out of range is unknown", "200#FFFF0700", "vehicle_speed", "unknown"},
		{"and back", "200#00000400", "vehicle_speed", "0"},
		{"sna", "101#0A1403", "window_driver_state", "unknown"},
		{"too short for the signal", "101#0A", "window_passenger_position", "unknown"},
		{"but not for the other", "101#0B", "window_driver_position", "11"},
		{"a remote frame says nothing", "101#R3", "window_driver_position", "11"},
		{"an unknown identifier says nothing", "7FF#0A1403", "window_driver_position", "11"},
		{"the same identifier extended says nothing", "00000101#631403", "window_driver_position", "11"},
		{"our own command says nothing", "100#6363", "window_driver_position", "11"},
	} {
		rx(c.frame)
		if got := value(c.signal); got != c.want {
			t.Fatalf("%s: %s is %s, want %s", c.name, c.signal, got, c.want)
		}
	}
	if o := live.Get(p.Signal("window_driver_position").ID); o.Source.String() != "101#0B" || o.Source.Bus != "body" {
		t.Fatalf("source is %+v", o.Source)
	}

	// Nothing in the DBC says how often: a second.
	clock.Advance(time.Second)
	if value("window_driver_position") != "11" {
		t.Fatal("stale too soon")
	}
	clock.Advance(time.Millisecond)
	if value("window_driver_position") != "unknown" {
		t.Fatal("never stale")
	}

	rx("101#0B0B00")
	for _, s := range []canbus.LinkState{canbus.LinkWarning, canbus.LinkPassive} {
		link.Handle(canbus.Event{Kind: canbus.LinkEvent, Link: canbus.Link{State: s}})
		if value("window_driver_position") != "11" {
			t.Fatalf("lost although %v receives", s)
		}
	}
	for _, s := range []canbus.LinkState{canbus.LinkBusOff, canbus.LinkDown, canbus.LinkEnded} {
		rx("101#0B0B00")
		link.Handle(canbus.Event{Kind: canbus.LinkEvent, Link: canbus.Link{State: s}})
		if value("window_driver_position") != "unknown" {
			t.Fatalf("known although nothing is received in %v", s)
		}
	}
	if len(reports) != 5 || reports[2] != "body bus-off" {
		t.Fatalf("reported %v", reports)
	}
}

func TestCANLinkFails(t *testing.T) {
	p := vehicletest.Profile()
	p.Signal("gear").Status.Message = "Nothing"
	p.Signal("ignition").Status.Signal = "Nothing"
	_, err := vehicle.NewCANLink(vehicle.NewLive(p, vehicle.NewSystemClock()), "body", p.Databases()["body"], nil)
	if err == nil {
		t.Fatal("bindings that do not exist are no error")
	}
	if got := err.Error(); got != "link bus body: gear: body.dbc has no message \"Nothing\"\nignition: message VehicleStatus has no signal \"Nothing\"" {
		t.Fatal(got)
	}
}

func FuzzCANLink(f *testing.F) {
	f.Add(uint32(0x101), false, []byte{1, 2, 3})
	f.Add(uint32(0x200), false, []byte{255, 255, 255, 255, 255, 255, 255, 255})
	p := vehicletest.Profile()
	live := vehicle.NewLive(p, vehicle.NewSystemClock())
	link, err := vehicle.NewCANLink(live, "body", p.Databases()["body"], nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, id uint32, extended bool, data []byte) {
		fr := canbus.Frame{ID: id, IsExtended: extended, Length: uint8(len(data))}
		copy(fr.Data[:], data)
		link.Handle(canbus.Event{Kind: canbus.FrameEvent, Frame: fr})
		for i, v := range live.Snapshot(nil) {
			if v.Known() && p.Signals[i].Check(v) != nil {
				t.Fatalf("%s = %v after %v", p.Signals[i].Name, v, fr)
			}
		}
	})
}

func TestTopicLink(t *testing.T) {
	p := vehicletest.Profile()
	live := vehicle.NewLive(p, vehicletest.NewClock(epoch))
	link := vehicle.NewTopicLink(live)
	var h func(time.Time, []byte, bool)
	if err := link.Attach(func(topic string, f func(time.Time, []byte, bool)) error {
		if topic != "state/ambient_light" {
			t.Fatalf("subscribed to %s", topic)
		}
		h = f
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	id := p.Signal("ambient_light").ID
	h(epoch, []byte(`{"v":"RED","ts":"2026-05-01T12:00:00Z","q":"ok"}`), false)
	if o := live.Get(id); !o.Known().Equal(vehicle.TextOf("RED")) || o.Source.Bus != "mqtt" {
		t.Fatalf("observed %+v", o)
	}
	link.Lost()
	if live.Value(id).Known() {
		t.Fatal("known although the broker is gone")
	}
	h(epoch, []byte("blue"), false)
	if !live.Value(id).Equal(vehicle.TextOf("BLUE")) {
		t.Fatalf("observed %v", live.Value(id))
	}
	link.Lost()
	h(epoch, []byte("red"), true) // kept by the broker
	if o := live.Get(id); !o.Known().Equal(vehicle.TextOf("RED")) || !o.Recalled {
		t.Fatalf("observed %+v", o)
	}
	gone := errors.New("gone")
	if err := link.Attach(func(string, func(time.Time, []byte, bool)) error { return gone }); !errors.Is(err, gone) {
		t.Fatal(err)
	}
}

func TestTopicValues(t *testing.T) {
	enum := &vehicle.Signal{Type: vehicle.TypeEnum, Allowed: []string{"OFF", "HIGH BEAM"}}
	number, boolean, free := &vehicle.Signal{Type: vehicle.TypeNumber}, &vehicle.Signal{Type: vehicle.TypeBool}, &vehicle.Signal{Type: vehicle.TypeText}
	words := &vehicle.Binding{Values: map[string]vehicle.Value{"1": vehicle.BoolOf(true), "ein": vehicle.BoolOf(true), "0": vehicle.BoolOf(false)}}
	for _, c := range []struct {
		name    string
		signal  *vehicle.Signal
		binding *vehicle.Binding
		payload string
		want    vehicle.Value
	}{
		{"document", number, &vehicle.Binding{}, `{"v":2.5,"q":"ok"}`, vehicle.NumberOf(2.5)},
		{"stale", number, &vehicle.Binding{}, `{"v":2.5,"q":"stale"}`, vehicle.Value{}},
		{"null", number, &vehicle.Binding{}, `{"v":null,"q":"ok"}`, vehicle.Value{}},
		{"bare number", number, &vehicle.Binding{}, " 2.5\n", vehicle.NumberOf(2.5)},
		{"number in quotes", number, &vehicle.Binding{}, `"2.5"`, vehicle.NumberOf(2.5)},
		{"nan", number, &vehicle.Binding{}, "NaN", vehicle.TextOf("NaN")}, // no number: unknown to the signal
		{"on", boolean, &vehicle.Binding{}, "ON", vehicle.BoolOf(true)},
		{"off", boolean, &vehicle.Binding{}, `"off"`, vehicle.BoolOf(false)},
		{"mapped", boolean, words, "ein", vehicle.BoolOf(true)},
		{"mapped number", boolean, words, "0", vehicle.BoolOf(false)},
		{"member in another case", enum, &vehicle.Binding{}, "high beam", vehicle.TextOf("HIGH BEAM")},
		{"text", free, &vehicle.Binding{}, "hello there", vehicle.TextOf("hello there")},
	} {
		if got := c.binding.TopicValue(c.signal, []byte(c.payload)); !got.Equal(c.want) {
			t.Errorf("%s: %q is %v, want %v", c.name, c.payload, got, c.want)
		}
	}
	for _, c := range []struct {
		binding *vehicle.Binding
		value   vehicle.Value
		want    string
	}{
		{&vehicle.Binding{}, vehicle.NumberOf(50), "50"},
		{&vehicle.Binding{}, vehicle.BoolOf(true), "true"},
		{&vehicle.Binding{}, vehicle.TextOf("RED"), "RED"},
		{&vehicle.Binding{}, vehicle.TextOf("50"), `"50"`},
		{&vehicle.Binding{}, vehicle.TextOf("null"), `"null"`},
		{&vehicle.Binding{}, vehicle.TextOf("HIGH BEAM"), `"HIGH BEAM"`},
		{words, vehicle.BoolOf(true), "1"},
	} {
		if got := string(c.binding.TopicPayload(c.value)); got != c.want {
			t.Errorf("%v is sent as %s, want %s", c.value, got, c.want)
		}
	}
}

func FuzzTopicValue(f *testing.F) {
	for _, s := range []string{`{"v":1,"q":"ok"}`, "on", "", "{", `{"v":{"v":1}}`, "1e999"} {
		f.Add([]byte(s))
	}
	p := vehicletest.Profile()
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, s := range p.Signals {
			b := s.Status
			if b == nil {
				continue
			}
			if v := b.TopicValue(s, payload); s.Check(v) == nil {
				if back := b.TopicValue(s, b.TopicPayload(v)); !back.Equal(v) {
					t.Fatalf("%s: %v is sent as %s and read as %v", s.Name, v, b.TopicPayload(v), back)
				}
			}
		}
	})
}

// A bus lets pass what the profile is about, and no more.
func TestFilters(t *testing.T) {
	var got []string
	for _, f := range vehicletest.Profile().Filters("body") {
		got = append(got, f.Key.String())
		if !f.Match(f.Key) || f.Match(f.Key^1) || f.Match(canbus.MakeKey(f.Key.ID(), !f.Key.Extended())) {
			t.Errorf("filter %+v", f)
		}
	}
	slices.Sort(got)
	if want := []string{"100", "101", "102", "103", "110", "111", "121", "18FEF100", "200"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if f := vehicletest.Profile().Filters("chassis"); len(f) != 0 {
		t.Errorf("filters of no bus: %v", f)
	}
}

// Whatever is on the bus, a protected signal has the value of a frame whose check
// is right, or none.
func FuzzProtectedLink(f *testing.F) {
	f.Add(uint32(0x102), []byte{0, 0, 0, 0, 1, 0, 0, 0})
	f.Add(uint32(0x100), []byte{0x1B, 1, 0, 0, 0, 0, 0, 0})
	f.Add(uint32(0x100), []byte{0x1B})
	p, err := vehicle.Load(os.DirFS("sim/testdata/protected"), "profile.yaml")
	if err != nil {
		f.Fatal(err)
	}
	live := vehicle.NewLive(p, vehicle.NewSystemClock())
	link, err := vehicle.NewCANLink(live, "body", p.Databases()["body"], nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, id uint32, data []byte) {
		fr := canbus.Frame{ID: id, Length: uint8(len(data))}
		copy(fr.Data[:], data)
		before := live.Stats().Observed
		link.Handle(canbus.Event{Kind: canbus.FrameEvent, Frame: fr})
		g := p.Protection("body", fr.Key())
		if live.Stats().Observed == before || g == nil {
			return
		}
		if int(fr.Length) != g.Message.Length {
			t.Fatalf("%d bytes of %s were believed", fr.Length, g.Message.Name)
		}
		if _, ok := g.Algorithm.Verify(fr.Data[:fr.Length]); !ok {
			t.Fatalf("%v was believed", fr)
		}
	})
}

// A record says when a frame came by the wall clock as it was then, also when the
// clock was set after the bus had been opened.
func TestCANLinkAfterTheClockWasSet(t *testing.T) {
	p := vehicletest.Profile()
	clock := vehicletest.NewClock(time.Unix(0, 0))
	bus := vehicle.BusClock(clock)
	live := vehicle.NewLive(p, clock)
	link, err := vehicle.NewCANLink(live, "body", p.Databases()["body"], nil)
	if err != nil {
		t.Fatal(err)
	}
	clock.JumpWall(epoch.Sub(clock.Now()))
	link.Handle(canbus.Event{Kind: canbus.FrameEvent, Time: bus.Now(), Frame: parseFrame(t, "200#2A000400")})
	if o := live.Get(p.Signal("vehicle_speed").ID); !o.At.Equal(epoch) || !o.Fresh {
		t.Errorf("observed at %v, fresh %t", o.At, o.Fresh)
	}
}
