// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"context"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// hutDBC describes an invented vehicle: two shutters, a heater, a speed.
const hutDBC = `VERSION ""
BS_:
BU_: Hut Head
BO_ 256 ShutterStatus: 4 Hut
 SG_ Left : 0|8@1+ (0.5,0) [0|100] "%" Head
 SG_ Right : 8|8@1+ (0.5,0) [0|100] "%" Head
 SG_ Caught : 16|1@1+ (1,0) [0|1] "" Head
BO_ 257 ShutterCommand: 2 Head
 SG_ LeftTarget : 0|8@1+ (0.5,0) [0|100] "%" Hut
 SG_ RightTarget : 8|8@1+ (0.5,0) [0|100] "%" Hut
BO_ 258 HeaterStatus: 2 Hut
 SG_ Heater : 0|2@1+ (1,0) [0|3] "" Head
 SG_ Speed : 2|8@1+ (1,0) [0|200] "km/h" Head
BO_ 259 HeaterCommand: 1 Head
 SG_ HeaterTarget : 0|2@1+ (1,0) [0|3] "" Hut
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 10000;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 256 200;
VAL_ 257 LeftTarget 255 "idle";
VAL_ 257 RightTarget 255 "idle";
VAL_ 258 Heater 0 "OFF" 1 "LOW" 2 "HIGH";
VAL_ 259 HeaterTarget 0 "OFF" 1 "LOW" 2 "HIGH";
`

var epoch = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func hutProfile() *vehicle.Profile {
	db, err := dbc.Parse("hut.dbc", []byte(hutDBC), dbc.Options{})
	if err != nil {
		panic(err)
	}
	bind := func(msg, sig string) *vehicle.Binding {
		return &vehicle.Binding{Bus: "hut", Message: msg, Signal: sig}
	}
	target := func(sig string) *vehicle.Binding {
		return &vehicle.Binding{Bus: "hut", Message: "ShutterCommand", Signal: sig, Idle: "idle"}
	}
	shutter := func(name, sig string) *vehicle.Signal {
		return &vehicle.Signal{Name: name, Type: vehicle.TypeInteger, Max: 100, Unit: "percent", Settle: 10 * time.Second,
			Status: bind("ShutterStatus", sig), Command: target(sig + "Target"), Motion: &vehicle.Motion{Hold: true},
			Blocked: []vehicle.Need{{Signal: 2, Is: []vehicle.Value{vehicle.BoolOf(true)}}}}
	}
	set := func(id vehicle.SignalID, arg string) []*vehicle.Effect {
		return []*vehicle.Effect{{Signal: id, To: vehicle.Target{Arg: vehicle.MustPath(arg)}}}
	}
	schema := func(s string) *vehicle.Schema {
		sc, err := vehicle.ParseSchema(vehicle.MustJSON(s))
		if err != nil {
			panic(err)
		}
		return sc
	}
	return vehicle.NewProfile(vehicle.Profile{
		Name: "hut", Services: []string{"kitchen"}, Buses: []vehicle.Bus{{Name: "hut", DB: db}},
		Signals: []*vehicle.Signal{
			shutter("left_shutter", "Left"), shutter("right_shutter", "Right"),
			{Name: "caught", Type: vehicle.TypeBool, Status: bind("ShutterStatus", "Caught")},
			{Name: "heater", Type: vehicle.TypeEnum, Allowed: []string{"OFF", "LOW", "HIGH"}, Settle: 2 * time.Second,
				Status: bind("HeaterStatus", "Heater"), Command: bind("HeaterCommand", "HeaterTarget")},
			{Name: "speed", Type: vehicle.TypeNumber, Max: 200, Unit: "km/h", Status: bind("HeaterStatus", "Speed")},
			{Name: "lamp", Type: vehicle.TypeBool, Settle: time.Second, Fresh: 3 * time.Second,
				Status: &vehicle.Binding{Topic: "state/lamp"}, Command: &vehicle.Binding{Topic: "set/lamp"}},
			{Name: "orders", Type: vehicle.TypeList, Service: "kitchen"},
		},
		Tools: []*vehicle.Tool{
			{Name: "set_left", Input: schema(`{"type":"object","required":["to"],"properties":{"to":{"type":"number","minimum":0,"maximum":100}},"additionalProperties":false}`),
				Declared: true, Sets: set(0, "to")},
			{Name: "get_shutters", Access: vehicle.Read, Returns: []vehicle.Return{
				{Path: vehicle.MustPath("shutters.left"), Signal: 0}, {Path: vehicle.MustPath("shutters.right"), Signal: 1}}},
			{Name: "get_speed", Access: vehicle.Read, Returns: []vehicle.Return{{Path: vehicle.MustPath("speed"), Signal: 4, Unit: "mph"}}},
			{Name: "order_tea", Service: "kitchen", Declared: true,
				Sets: []*vehicle.Effect{{Signal: 6, To: vehicle.Target{Const: vehicle.TextOf("tea"), Op: vehicle.Append}}}},
			{Name: "ask_cook", Access: vehicle.Read, Service: "kitchen"},
		},
	})
}

// rig is a simulated hut on a bus with a head unit that watches it.
type rig struct {
	*sim.Bench
	t     testing.TB
	clock *vehicletest.Clock
	bus   canbus.Bus // the head unit's
	live  *vehicle.Live
	db    *dbc.Database
	xch   *canbus.Exchange
	topic *topicTable
}

// topicTable is a broker of one process.
type topicTable struct {
	handlers map[string]func(time.Time, []byte)
	state    map[string]string
	count    int
	heard    func(topic string, payload []byte) // what is published, if set
}

func newTopicTable() *topicTable {
	return &topicTable{handlers: map[string]func(time.Time, []byte){}, state: map[string]string{}}
}

func (b *topicTable) SubscribeCommand(topic string, h func(time.Time, []byte)) error {
	b.handlers[topic] = h
	return nil
}

func (b *topicTable) PublishStatus(_ context.Context, topic string, payload []byte) error {
	b.state[topic] = string(payload)
	b.count++
	if b.heard != nil {
		b.heard(topic, payload)
	}
	return nil
}

// Publish and Connected make it the head unit's side too.
func (b *topicTable) Publish(_ context.Context, topic string, payload []byte) error {
	if h := b.handlers[topic]; h != nil {
		h(time.Time{}, payload)
	}
	return nil
}

func (b *topicTable) Connected() bool { return true }

func newRig(t testing.TB, fast bool) *rig {
	t.Helper()
	p := hutProfile()
	r := &rig{t: t, clock: vehicletest.NewClock(epoch), db: p.Databases()["hut"], topic: newTopicTable()}
	r.xch = &canbus.Exchange{Clock: vehicle.BusClock(r.clock), Sync: true}
	car := sim.NewCar(p, nil, sim.Context{})
	for name, v := range map[string]vehicle.Value{"left_shutter": vehicle.NumberOf(0), "right_shutter": vehicle.NumberOf(50),
		"caught": vehicle.BoolOf(false), "heater": vehicle.TextOf("OFF"), "speed": vehicle.NumberOf(0), "lamp": vehicle.BoolOf(false), "orders": vehicle.ListOf()} {
		if err := car.Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	r.bus = r.xch.Join("hut")
	r.live = vehicle.NewLive(p, r.clock)
	link, err := vehicle.NewCANLink(r.live, "hut", r.db, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(link.Attach(r.bus))
	r.Bench, err = sim.NewBench(car, sim.Config{Clock: r.clock, Fast: fast, Adopt: true,
		Buses:   []sim.Bus{{Name: "hut", Bus: r.xch.Join("hut")}},
		SetLink: r.xch.SetLink,
		Topics:  r.topic})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func (r *rig) send(message string, s ...dbc.Setting) {
	r.t.Helper()
	m, ok := r.db.Message(message)
	if !ok {
		r.t.Fatalf("no message %s", message)
	}
	base := m.Blank()
	if message == "ShutterCommand" {
		base.Data = canbus.Data{0xFF, 0xFF}
	}
	f, err := m.Encode(base, s...)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := r.bus.Send(r.t.Context(), f); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) left(percent float64) {
	r.t.Helper()
	r.send("ShutterCommand", dbc.Set("LeftTarget", percent))
}

func (r *rig) seen(signal, want string) {
	r.t.Helper()
	o := r.live.Get(r.live.Profile().Signal(signal).ID)
	if got := o.Known().String(); got != want {
		r.t.Fatalf("at %v the bus says %s = %s, want %s", r.clock.Mono(), signal, got, want)
	}
}
