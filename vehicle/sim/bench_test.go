// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"context"
	"fmt"
	"slices"
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

func TestFastAnswersAtOnce(t *testing.T) {
	r := newRig(t, true)
	r.seen("right_shutter", "50") // told at the start
	r.left(80)
	r.seen("left_shutter", "80")
	r.seen("right_shutter", "50") // its idle word moved nothing
	r.send("HeaterCommand", dbc.SetText("HeaterTarget", "HIGH"))
	r.seen("heater", "HIGH")
	if r.Moving() {
		t.Fatal("something still moves")
	}
}

func TestMovementTakesTime(t *testing.T) {
	r := newRig(t, false)
	r.left(100) // 6 s over the whole way
	r.seen("left_shutter", "0")
	r.clock.Advance(3 * time.Second)
	o := r.live.Value(0)
	if f, _ := o.Float(); f < 40 || f > 55 {
		t.Fatalf("halfway: %v", o)
	}
	r.clock.Advance(7 * time.Second)
	r.seen("left_shutter", "100")
	r.send("HeaterCommand", dbc.SetText("HeaterTarget", "LOW"))
	r.seen("heater", "OFF")
	r.clock.Advance(2 * time.Second)
	r.seen("heater", "LOW")
}

func TestHoldStopsMovement(t *testing.T) {
	r := newRig(t, false)
	r.left(100)
	r.clock.Advance(3 * time.Second)
	at := r.live.Value(0)
	f, _ := at.Float()
	r.left(f)
	r.clock.Advance(5 * time.Second)
	r.seen("left_shutter", at.String())
	r.left(0) // and back
	r.clock.Advance(10 * time.Second)
	r.seen("left_shutter", "0")
}

func TestCyclesKeepTheStateFresh(t *testing.T) {
	r := newRig(t, true)
	for range 50 {
		r.clock.Advance(500 * time.Millisecond)
		for id := range 5 {
			if o := r.live.Get(vehicle.SignalID(id)); !o.Fresh {
				t.Fatalf("%s is stale after %v", r.live.Profile().Signals[id].Name, r.clock.Mono())
			}
		}
	}
	sent, lost := r.Sent()
	if lost != 0 || sent < 25*(5+10) {
		t.Fatalf("sent %d, lost %d", sent, lost)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, fault string
		do          func(r *rig)
		signal      string
		want        string
	}{
		{"blocked on the way", "blocked:left_shutter@40", func(r *rig) { r.left(100) }, "left_shutter", "40"},
		{"blocked is told", "blocked:left_shutter@40", func(r *rig) { r.left(100) }, "caught", "true"},
		{"blocked where it is", "blocked:right_shutter", func(r *rig) { r.send("ShutterCommand", dbc.Set("RightTarget", 0)) }, "right_shutter", "50"},
		{"blocked elsewhere", "blocked:left_shutter@40", func(r *rig) { r.left(30) }, "left_shutter", "30"},
		{"blocked heater", "blocked:heater", func(r *rig) { r.send("HeaterCommand", dbc.SetText("HeaterTarget", "LOW")) }, "heater", "OFF"},
		{"reversed", "reversed:right_shutter@20", func(r *rig) { r.send("ShutterCommand", dbc.Set("RightTarget", 0)) }, "right_shutter", "100"},
		{"reversed only when closing", "reversed:left_shutter@20", func(r *rig) { r.left(60) }, "left_shutter", "60"},
		{"refused", "refused:left_shutter", func(r *rig) { r.left(60) }, "left_shutter", "0"},
		{"wrong", "wrong:speed@130 km/h", func(r *rig) {}, "speed", "130"},
		{"delayed", "delayed:left_shutter@9s", func(r *rig) { r.left(60) }, "left_shutter", "0"},
	} {
		for _, fast := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s fast=%v", c.name, fast), func(t *testing.T) {
				r := newRig(t, fast)
				if err := r.InjectText(c.fault); err != nil {
					t.Fatal(err)
				}
				c.do(r)
				r.clock.Advance(8*time.Second + 900*time.Millisecond)
				r.seen(c.signal, c.want)
			})
		}
	}
}

func TestRepairEndsFaults(t *testing.T) {
	r := newRig(t, true)
	if err := r.InjectText("blocked:left_shutter@40"); err != nil {
		t.Fatal(err)
	}
	r.left(100)
	r.seen("left_shutter", "40")
	r.seen("caught", "true")
	r.Repair("left_shutter")
	r.left(90)
	r.seen("left_shutter", "90")
	r.seen("caught", "false")
	if l := r.Faults(); len(l) != 0 {
		t.Fatalf("faults left: %v", l)
	}
}

func TestReversedPassesBack(t *testing.T) {
	r := newRig(t, false)
	if err := r.InjectText("reversed:right_shutter@20"); err != nil {
		t.Fatal(err)
	}
	r.send("ShutterCommand", dbc.Set("RightTarget", 0))
	var seen []float64
	for range 100 {
		r.clock.Advance(200 * time.Millisecond)
		f, _ := r.live.Value(1).Float()
		seen = append(seen, f)
	}
	if low := slices.Min(seen); low < 20 || low > 26 || seen[len(seen)-1] != 100 {
		t.Fatalf("went %v", seen)
	}
}

func TestSilence(t *testing.T) {
	for _, c := range []struct {
		fault        string
		stale, fresh string
	}{
		{"silent:HeaterStatus", "speed", "left_shutter"},
		{"silent:hut", "left_shutter", ""},
		{"stale:speed", "speed", "left_shutter"},
		{"bus-down:hut", "speed", ""},
		{"bus-off:hut", "speed", ""},
	} {
		t.Run(c.fault, func(t *testing.T) {
			r := newRig(t, true)
			if err := r.InjectText(c.fault); err != nil {
				t.Fatal(err)
			}
			r.clock.Advance(5 * time.Second)
			r.seen(c.stale, "unknown")
			if c.fresh != "" {
				r.seen(c.fresh, "0")
			}
			r.Repair("")
			r.clock.Advance(time.Second)
			r.seen(c.stale, "0")
		})
	}
}

func TestByHand(t *testing.T) {
	r := newRig(t, false)
	r.left(100)
	r.clock.Advance(2 * time.Second)
	if err := r.SetByHand("left_shutter", vehicle.NumberOf(7)); err != nil {
		t.Fatal(err)
	}
	r.seen("left_shutter", "7")
	r.clock.Advance(10 * time.Second)
	r.seen("left_shutter", "7")
	if err := r.SetByHand("left_shutter", vehicle.NumberOf(107)); err == nil {
		t.Fatal("a position of 107 % was accepted")
	}
	if err := r.SetState("left_shutter=12, heater=high,speed=unknown"); err != nil {
		t.Fatal(err)
	}
	r.seen("left_shutter", "12")
	r.seen("heater", "HIGH")
}

func TestForeignStatusIsAdopted(t *testing.T) {
	r := newRig(t, true)
	r.send("HeaterStatus", dbc.Set("Speed", 90), dbc.SetText("Heater", "LOW"))
	r.clock.Advance(time.Second)
	r.seen("speed", "90")
	r.seen("heater", "LOW")
}

func TestTopics(t *testing.T) {
	r := newRig(t, true)
	value := func() vehicle.Value {
		s := r.live.Profile().Signal("lamp")
		return s.Status.TopicValue(s, []byte(r.topic.state["state/lamp"]))
	}
	if !value().Equal(vehicle.BoolOf(false)) {
		t.Fatalf("at the start: %s", r.topic.state["state/lamp"])
	}
	r.topic.handlers["set/lamp"](epoch, []byte("true"))
	if !value().Equal(vehicle.BoolOf(true)) {
		t.Fatalf("after the command: %s", r.topic.state["state/lamp"])
	}
	n := r.topic.count
	r.clock.Advance(10 * time.Second)
	if r.topic.count-n != 10 { // a third of what it stays fresh
		t.Fatalf("%d heartbeats in 10 s", r.topic.count-n)
	}
	if err := r.InjectText("silent:mqtt"); err != nil {
		t.Fatal(err)
	}
	r.topic.handlers["set/lamp"](epoch, []byte("false"))
	if !value().Equal(vehicle.BoolOf(true)) {
		t.Fatal("a silent broker said something")
	}
}

func TestClosedBenchIsSilent(t *testing.T) {
	r := newRig(t, false)
	r.left(100)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	before, _ := r.Sent()
	r.clock.Advance(10 * time.Second)
	r.left(20)
	if after, _ := r.Sent(); after != before {
		t.Fatalf("sent %d frames after Close", after-before)
	}
}

func TestBenchNeedsItsBindings(t *testing.T) {
	p := hutProfile()
	_, err := sim.NewBench(sim.NewCar(p, nil, sim.Context{}), sim.Config{Clock: vehicletest.NewClock(epoch)})
	if err == nil {
		t.Fatal("built without its bus")
	}
}

func TestServices(t *testing.T) {
	r := newRig(t, true)
	r.Car.Can(map[string]vehicle.Value{"ask_cook": vehicle.MustJSON(`{"answer":"no"}`)})
	ctx := t.Context()
	if res := r.Call(ctx, vehicle.Call{ID: "1", Tool: "ask_cook"}); !res.OK() || res.Value.String() != `{"answer":"no"}` || res.CallID != "1" {
		t.Fatalf("%+v", res)
	}
	if res := r.Call(ctx, vehicle.Call{Tool: "order_tea"}); !res.OK() || r.Car.Get("orders").String() != `["tea"]` {
		t.Fatalf("%+v, orders %v", res, r.Car.Get("orders"))
	}
	if res := r.Call(ctx, vehicle.Call{Tool: "order_coffee"}); res.Status != vehicle.Failed || res.Reason == "" {
		t.Fatalf("%+v", res)
	}
	if err := r.InjectText("failing:order_tea"); err != nil {
		t.Fatal(err)
	}
	if res := r.Call(ctx, vehicle.Call{Tool: "order_tea"}); res.Status != vehicle.Failed {
		t.Fatalf("%+v", res)
	}
}
