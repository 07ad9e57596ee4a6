// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func TestFastAnswersAtOnce(t *testing.T) {
	r := newRig(t, true)
	r.seen("right_shutter", "50") // told at the start
	r.left(80)
	r.seen("left_shutter", "80")
	r.seen("right_shutter", "50") // its idle word moved nothing
	r.send("HeaterCommand", dbc.SetText("HeaterTarget", "HIGH"))
	r.seen("heater", "HIGH")
	id := r.live.Profile().Signal("heater").ID
	before := r.live.Get(id).Count
	r.send("HeaterCommand", dbc.SetText("HeaterTarget", "HIGH"))
	if r.live.Get(id).Count == before {
		t.Fatal("a command that changes nothing was not answered")
	}
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
		{"silent:Hut", "left_shutter", ""},
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
	if got, err := r.Answer(ctx, "ask_cook", []byte(`{}`)); err != nil || string(got) != `{"answer":"no"}` {
		t.Fatalf("%s, %v", got, err)
	}
	for _, c := range [][2]string{{"order_coffee", `{}`}, {"ask_cook", `{`}, {"ask_cook", `[]`}} {
		if got, err := r.Answer(ctx, c[0], []byte(c[1])); err == nil {
			t.Fatalf("%v: %s", c, got)
		}
	}
	if got := r.ServiceTools(); len(got) != 2 || r.Services()["kitchen"] == nil {
		t.Fatalf("tools of services: %v", got)
	}
	if rs, err := r.State(ctx, []vehicle.SignalID{6}); err != nil || rs[0].Value.String() != `["tea"]` {
		t.Fatalf("state: %v, %v", rs, err)
	}
	if err := r.InjectText("failing:order_tea"); err != nil {
		t.Fatal(err)
	}
	if res := r.Call(ctx, vehicle.Call{Tool: "order_tea"}); res.Status != vehicle.Failed {
		t.Fatalf("%+v", res)
	}
}

// TestRealTime runs on the machine's clock, with a goroutine for each node of
// the bus, while hands, commands and faults come from everywhere.
func TestRealTime(t *testing.T) {
	p := hutProfile()
	car, err := (&sim.World{Data: &sim.Data{}}).NewCar(p)
	if err != nil {
		t.Fatal(err)
	}
	xch := &canbus.Exchange{}
	ecu, head := xch.Join("hut"), xch.Join("hut")
	topics := newTopicTable()
	b, err := sim.NewBench(car, sim.Config{Clock: vehicle.NewSystemClock(), Buses: []sim.Bus{{Name: "hut", Bus: ecu}},
		Topics: topics, SetLink: xch.SetLink})
	if err != nil {
		t.Fatal(err)
	}
	high := make(chan struct{})
	var once sync.Once
	m, _ := p.Databases()["hut"].Message("HeaterStatus")
	cancel := head.Subscribe(func(e canbus.Event) {
		if values, err := m.Decode(e.Frame, nil); err == nil && values[0].Raw == 2 {
			once.Do(func() { close(high) })
		}
	})
	defer cancel()
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 50 {
			_ = b.SetByHand("right_shutter", vehicle.NumberOf(float64(i)))
			b.Call(t.Context(), vehicle.Call{Tool: "order_tea"})
		}
	})
	wg.Go(func() {
		for range 50 {
			_ = b.InjectText("wrong:speed@77")
			b.Repair("speed")
		}
	})
	f, err := canbus.NewFrame(canbus.MakeKey(259, false), 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := head.Send(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	<-high
	wg.Wait()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if got := car.Get("orders").Len(); got != 50 {
		t.Fatalf("%d orders", got)
	}
	_ = ecu.Close()
	_ = head.Close()
}
