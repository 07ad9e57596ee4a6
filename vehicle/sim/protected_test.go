// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/canbus/e2e"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// protectedCar is a simulated car whose messages are all protected, and a
// daemon's side of its bus.
type protectedCar struct {
	*sim.Bench
	profile  *vehicle.Profile
	exchange *canbus.Exchange
	live     *vehicle.Live
	link     *vehicle.CANLink
	boundary *boundary.Boundary
	executor *vehicle.Executor
	sent     []canbus.Frame // window commands
}

func onProtectedCar(t *testing.T, f func(t *testing.T, c *protectedCar)) {
	t.Helper()
	onProtectedCarWith(t, func(*dbc.Message) {}, f)
}

// onProtectedCarWith changes the message of the commands before it begins.
func onProtectedCarWith(t *testing.T, change func(*dbc.Message), f func(t *testing.T, c *protectedCar)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p, err := vehicle.Load(os.DirFS("testdata/protected"), "profile.yaml")
		if err != nil {
			t.Fatal(err)
		}
		m, _ := p.Databases()["body"].Message("WindowCommand")
		change(m)
		clock := vehicle.NewSystemClock()
		c := &protectedCar{profile: p, exchange: &canbus.Exchange{Clock: vehicle.BusClock(clock), Sync: true}, live: vehicle.NewLive(p, clock)}
		car := sim.NewCar(p, nil, sim.Context{})
		for name, v := range map[string]vehicle.Value{"window_position": vehicle.NumberOf(0), "window_blocked": vehicle.BoolOf(false), "vehicle_speed": vehicle.NumberOf(50)} {
			if err := car.Set(name, v); err != nil {
				t.Fatal(err)
			}
		}
		c.Bench, err = sim.NewBench(car, sim.Config{Clock: clock, SetLink: c.exchange.SetLink, Buses: []sim.Bus{{Name: "body", Bus: c.exchange.Join("body")}}})
		if err != nil {
			t.Fatal(err)
		}
		bus := c.exchange.Join("body")
		if c.link, err = vehicle.NewCANLink(c.live, "body", p.Databases()["body"], nil); err != nil {
			t.Fatal(err)
		}
		defer c.link.Attach(bus)()
		if c.boundary, err = boundary.New(boundary.Config{Live: c.live, Clock: clock, Buses: map[string]boundary.Bus{"body": bus}}); err != nil {
			t.Fatal(err)
		}
		defer c.boundary.Close()
		c.executor = vehicle.NewExecutor(vehicle.ExecutorConfig{Live: c.live, Clock: clock, Writer: c.boundary})
		c.exchange.Join("body").Subscribe(func(e canbus.Event) {
			if e.Kind == canbus.FrameEvent && e.Frame.ID == 0x101 {
				c.sent = append(c.sent, e.Frame)
			}
		})
		if err := c.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		time.Sleep(time.Second)
		f(t, c)
	})
}

func (c *protectedCar) value(name string) string {
	return c.live.Value(c.profile.Signal(name).ID).String()
}

func (c *protectedCar) move(t *testing.T, to float64) vehicle.Result {
	t.Helper()
	return c.executor.Do(t.Context(), vehicle.Call{ID: "c1", Tool: "open_close_window", Args: vehicle.ObjectOf(vehicle.Field{Name: "percentage", Value: vehicle.NumberOf(to)})})
}

// counters are those of the commands that left, all of them valid.
func (c *protectedCar) counters(t *testing.T) (out []uint8) {
	t.Helper()
	a := c.profile.Protection("body", 0x101).Algorithm
	for _, f := range c.sent {
		n, ok := a.Verify(f.Data[:f.Length])
		if !ok || f.Length != 6 {
			t.Errorf("%v is not protected", f)
		}
		out = append(out, n)
	}
	return out
}

func (c *protectedCar) state(message string) vehicle.ProtectionState {
	for _, s := range c.link.Protection() {
		if s.Message == message {
			return s
		}
	}
	return vehicle.ProtectionState{}
}

func TestProtectedCommandAndStatus(t *testing.T) {
	onProtectedCar(t, func(t *testing.T, c *protectedCar) {
		if r := c.move(t, 40); r.Status != vehicle.Done {
			t.Fatalf("%s: %s", r.Status, r.Reason)
		}
		if got := c.value("window_position"); got != "40" {
			t.Errorf("the window is at %s", got)
		}
		if s := c.state("WindowStatus"); s.State != e2e.OK || s.Frames.Errors+s.Frames.Repeated+s.Frames.Sequence != 0 || s.Frames.Good < 20 {
			t.Errorf("received %+v", s)
		}
	})
}

// The counter belongs to the process, not to the connection.
func TestCounterGoesOnOverAReconnect(t *testing.T) {
	onProtectedCar(t, func(t *testing.T, c *protectedCar) {
		for i, to := range []float64{10, 20, 30} {
			if r := c.move(t, to); r.Status != vehicle.Done {
				t.Fatalf("%s: %s", r.Status, r.Reason)
			}
			if i == 1 {
				c.exchange.SetLink("body", canbus.Link{State: canbus.LinkDown, Cause: "unplugged"})
				time.Sleep(3 * time.Second)
				if r := c.move(t, 90); r.Status != vehicle.Refused {
					t.Fatalf("while the bus was down: %s", r.Status)
				}
				c.exchange.SetLink("body", canbus.Link{State: canbus.LinkUp})
				time.Sleep(time.Second)
			}
		}
		if got := c.counters(t); !slices.Equal(got, []uint8{0, 1, 2}) {
			t.Errorf("counters %v", got)
		}
	})
}

// A protected command that is said again has a new counter each time, and the
// control unit believes all of them: it is commanded once.
func TestHeldCommandIsProtectedEachTime(t *testing.T) {
	cyclic := func(m *dbc.Message) { m.CycleTime, m.SendType, m.Repetitions = 20*time.Millisecond, dbc.IfActive, 4 }
	onProtectedCarWith(t, cyclic, func(t *testing.T, c *protectedCar) {
		for _, to := range []float64{40, 10} {
			if r := c.move(t, to); r.Status != vehicle.Done {
				t.Fatalf("%s: %s", r.Status, r.Reason)
			}
		}
		time.Sleep(time.Second)
		if got, want := c.counters(t), []uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}; !slices.Equal(got, want) {
			t.Errorf("counters %v, want %v", got, want)
		}
		for i, f := range c.sent {
			if idle := f.Data[0]&0x7F == 127; idle != (i%6 == 5) {
				t.Errorf("frame %d is %v", i, f)
			}
		}
	})
}

// A frame whose check is wrong says nothing: neither what it claims, nor that
// what was known is still so.
func TestFramesThatAreNotBelieved(t *testing.T) {
	for _, tt := range []struct {
		name   string
		replay bool // the last good frame, else one with a wrong checksum
		state  e2e.State
	}{
		{"wrong checksum", false, e2e.Error},
		{"the last good frame again", true, e2e.Repeated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onProtectedCar(t, func(t *testing.T, c *protectedCar) {
				var last canbus.Frame
				forger := c.exchange.Join("body")
				forger.Subscribe(func(e canbus.Event) {
					if e.Frame.ID == 0x102 {
						last = e.Frame
					}
				})
				time.Sleep(time.Second)
				c.InjectText("silent:SpeedStatus")
				f := last
				if !tt.replay {
					f.Data[3], f.Data[4] = 0x10, 0 // 1.6 km/h
				}
				for range 30 {
					if err := forger.Send(t.Context(), f); err != nil {
						t.Fatal(err)
					}
					time.Sleep(50 * time.Millisecond)
					if got := c.value("vehicle_speed"); got != "50" && got != "unknown" {
						t.Fatalf("the speed became %s", got)
					}
				}
				if got := c.value("vehicle_speed"); got != "unknown" {
					t.Errorf("the speed is still %s", got)
				}
				if s := c.state("SpeedStatus"); s.State != tt.state {
					t.Errorf("received %+v", s)
				}
				if r := c.move(t, 70); r.Status != vehicle.Refused || r.Refusal.Gate != vehicle.GateFreshness {
					t.Errorf("moved by a speed that nobody knows: %s %s", r.Status, r.Reason)
				}
				time.Sleep(2 * time.Second)
				if s := c.state("SpeedStatus"); s.State != e2e.NoNewData {
					t.Errorf("after silence: %+v", s)
				}
				c.Repair("SpeedStatus")
				time.Sleep(time.Second)
				if got := c.value("vehicle_speed"); got != "50" {
					t.Errorf("after good frames the speed is %s", got)
				}
			})
		})
	}
}

// The control units believe nobody either.
func TestForgedCommandDoesNothing(t *testing.T) {
	onProtectedCar(t, func(t *testing.T, c *protectedCar) {
		f, _ := canbus.ParseFrame("101#320000000000") // 50 percent
		if err := c.exchange.Join("body").Send(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if got := c.value("window_position"); got != "0" {
			t.Errorf("the window went to %s", got)
		}
		if _, err := c.boundary.SendFrame(t.Context(), "body", f); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if got := c.value("window_position"); got != "50" {
			t.Errorf("through the boundary, which protects it: the window is at %s", got)
		}
	})
}
