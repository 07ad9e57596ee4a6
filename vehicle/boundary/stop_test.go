// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"context"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// begin commands a window and waits until it is on its way.
func begin(t *testing.T, b *vehicletest.Bench) {
	t.Helper()
	if _, err := b.Boundary.Write(t.Context(), command(b, "window_driver_position", number(100))); err != nil {
		t.Fatal(err)
	}
	if err := b.Live.Wait(t.Context(), b.Signal("window_driver_position"), number(30).Equal); err != nil {
		t.Fatal(err)
	}
}

// stands waits and reports where the window really is in the end.
func stands(b *vehicletest.Bench) string {
	time.Sleep(10 * time.Second)
	return b.Car.Get("window_driver_position").String()
}

func TestStopWithin100ms(t *testing.T) {
	for _, c := range []struct {
		name  string
		setup func(*vehicletest.Bench) // while the window moves
	}{
		{"at once", func(*vehicletest.Bench) {}},
		{"with a bus whose writes are slow", func(b *vehicletest.Bench) { b.Bus.SlowSend(30 * time.Millisecond) }},
		{"while a write hangs", func(b *vehicletest.Bench) {
			b.Bus.SlowSend(time.Hour)
			go b.Boundary.Write(context.Background(), command(b, "fan_speed", number(2)))
			synctest.Wait()
			b.Bus.SlowSend(0)
		}},
		{"at any speed and ignition", func(b *vehicletest.Bench) {
			b.Car.Set("vehicle_speed", number(130))
			b.Car.Set("ignition", vehicle.BoolOf(false))
		}},
		{"with every rate used up", func(b *vehicletest.Bench) {
			for i := range 60 {
				_, _ = b.Boundary.Write(context.Background(), command(b, "fan_speed", number(float64(i%5))))
			}
		}},
		{"with a context that has ended", nil},
		{"moved by somebody else", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				ctx := t.Context()
				if c.name == "moved by somebody else" {
					f, _ := canbus.ParseFrame("100#64FF")
					if err := b.Exchange.Join("body").Send(ctx, f); err != nil {
						t.Fatal(err)
					}
					if err := b.Live.Wait(ctx, b.Signal("window_driver_position"), number(30).Equal); err != nil {
						t.Fatal(err)
					}
				} else {
					begin(t, b)
				}
				if c.name == "with a context that has ended" {
					ended, cancel := context.WithCancel(ctx)
					cancel()
					ctx = ended
				}
				if c.setup != nil {
					c.setup(b)
				}
				start := time.Now()
				trace, err := b.Boundary.Stop(ctx)
				took := time.Since(start)
				if err != nil || took > 100*time.Millisecond {
					t.Fatalf("stop took %v: %v", took, err)
				}
				if len(trace) == 0 || trace[0].Text != "100#1EFF" || trace[0].Signal != "window_driver_position" || trace[0].Dir != "tx" {
					t.Fatalf("sent %v", trace)
				}
				if at := stands(b); at != "30" {
					t.Fatalf("the window ended at %s", at)
				}
				if s := b.Boundary.Stats(); s.Stops != 1 {
					t.Fatalf("counted %+v", s)
				}
			})
		})
	}
}

func TestStopUsesTheStopValue(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		b.Car.Script("trunk_door_position", vehicletest.Script{Ignore: true})
		if _, err := b.Boundary.Write(t.Context(), command(b, "trunk_door_position", text("OPEN"))); err != nil {
			t.Fatal(err)
		}
		trace, err := b.Boundary.Stop(t.Context())
		if err != nil || len(trace) != 1 || trace[0].Text != "18FEF100#03" {
			t.Fatalf("sent %v: %v", trace, err)
		}
	})
}

func TestStopAtRestSendsNothing(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		if trace, err := b.Boundary.Stop(t.Context()); err != nil || len(trace) != 0 {
			t.Fatalf("sent %v: %v", trace, err)
		}
		begin(t, b)
		time.Sleep(10 * time.Second) // it has arrived and stands
		if trace, err := b.Boundary.Stop(t.Context()); err != nil || len(trace) != 0 {
			t.Fatalf("sent %v: %v", trace, err)
		}
	})
}

func TestStopSaysWhatItCannotEnd(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		begin(t, b)
		b.Car.Mute("window_driver_position", true)
		time.Sleep(2 * time.Second) // where the window is is not known any more
		_, err := b.Boundary.Stop(t.Context())
		if err == nil || !strings.Contains(err.Error(), "window_driver_position: its position is not known") {
			t.Fatal(err)
		}
	})
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		begin(t, b)
		b.Bus.FailSent(func(canbus.Frame) bool { return true })
		if _, err := b.Boundary.Stop(t.Context()); err == nil || !strings.Contains(err.Error(), "window_driver_position") {
			t.Fatal(err)
		}
	})
}

// fullBus is a bus whose queue is full for a number of sends.
type fullBus struct {
	boundary.Bus
	mu   sync.Mutex
	left int
	got  []canbus.Frame
}

func (b *fullBus) Send(ctx context.Context, f canbus.Frame) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left > 0 {
		b.left--
		return &canbusError{syscall.ENOBUFS}
	}
	b.got = append(b.got, f)
	return b.Bus.Send(ctx, f)
}

type canbusError struct{ err error }

func (e *canbusError) Error() string { return "write can0: " + e.err.Error() }
func (e *canbusError) Unwrap() error { return e.err }

// withFullBus gives the boundary a bus whose queue is full n times.
func withFullBus(t *testing.T, n int, f func(t *testing.T, b *vehicletest.Bench, bus *fullBus)) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		bus := &fullBus{Bus: b.Bus, left: n}
		bd, err := boundary.New(boundary.Config{Live: b.Live, Clock: b.Clock, Buses: map[string]boundary.Bus{"body": bus}, MQTT: b.Broker})
		if err != nil {
			t.Fatal(err)
		}
		defer bd.Close()
		b.Boundary = bd
		f(t, b, bus)
	})
}

func TestFullQueueIsRetriedWithinTheCycle(t *testing.T) {
	withFullBus(t, 3, func(t *testing.T, b *vehicletest.Bench, bus *fullBus) {
		if _, err := b.Boundary.Write(t.Context(), command(b, "trunk_door_position", text("OPEN"))); err != nil {
			t.Fatal(err)
		}
		if s := b.Boundary.Stats(); s.Retried["body"] != 3 || s.Sent["body"] != 1 || len(bus.got) != 1 {
			t.Fatalf("counted %+v", s)
		}
		// The retries took one token, so one is left of two.
		if _, err := b.Boundary.Write(t.Context(), command(b, "trunk_door_position", text("OPEN"))); err != nil {
			t.Fatal(err)
		}
	})
	withFullBus(t, 1000, func(t *testing.T, b *vehicletest.Bench, bus *fullBus) {
		start := time.Now()
		_, err := b.Boundary.Write(t.Context(), command(b, "fan_speed", number(2)))
		if r := refusal(t, err); r.Gate != vehicle.GateLink || time.Since(start) > 100*time.Millisecond {
			t.Fatalf("%v after %v", err, time.Since(start))
		}
		bus.mu.Lock()
		bus.left = 0
		bus.mu.Unlock()
		time.Sleep(10 * time.Second)
		if len(bus.got) != 0 || b.Boundary.Stats().UnderWay != 0 {
			t.Fatal("a command that failed was kept")
		}
	})
}

// Between two tries the world may change.
func TestRetryAsksAgain(t *testing.T) {
	withFullBus(t, 5, func(t *testing.T, b *vehicletest.Bench, bus *fullBus) {
		tries := 0
		cmd := command(b, "trunk_door_position", text("OPEN"))
		cmd.Guard = func(vehicle.Command) error {
			if tries++; tries == 2 {
				b.Live.Observe(b.Signal("gear"), text("R"), time.Now(), vehicle.Source{})
			}
			return nil
		}
		_, err := b.Boundary.Write(t.Context(), cmd)
		if r := refusal(t, err); r.Gate != vehicle.GateInterlock || tries != 2 {
			t.Fatalf("%v after %d tries", err, tries)
		}
	})
}

func TestStopTakesBackWhatIsRetried(t *testing.T) {
	withFullBus(t, 1000, func(t *testing.T, b *vehicletest.Bench, bus *fullBus) {
		done := make(chan error)
		go func() {
			_, err := b.Boundary.Write(t.Context(), command(b, "window_driver_position", number(100)))
			done <- err
		}()
		time.Sleep(15 * time.Millisecond)
		bus.mu.Lock()
		bus.left = 2 // the stop has to try again too
		bus.mu.Unlock()
		start := time.Now()
		if _, err := b.Boundary.Stop(t.Context()); err != nil || time.Since(start) > 100*time.Millisecond {
			t.Fatal(err)
		}
		if r := refusal(t, <-done); r.Gate != vehicle.GateStop {
			t.Fatal(r)
		}
		time.Sleep(time.Second)
		for _, f := range bus.got {
			if f.String() == "100#64FF" {
				t.Fatal("the movement left after the stop")
			}
		}
	})
}

func TestStopReachesThePlant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := vehicle.NewSystemClock()
		live := vehicle.NewLive(vehicletest.Profile(), clock)
		plant := &plant{live: live}
		b, err := boundary.New(boundary.Config{Live: live, Clock: clock, Plant: plant})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		id := live.Profile().Signal("window_driver_position").ID
		live.Observe(id, number(10), time.Now(), vehicle.Source{})
		live.Observe(live.Profile().Signal("ignition").ID, vehicle.BoolOf(true), time.Now(), vehicle.Source{})
		if _, err := b.Write(t.Context(), vehicle.Command{Signal: id, Value: number(50), Epoch: 1}); err != nil {
			t.Fatal(err)
		}
		trace, err := b.Stop(t.Context())
		if err != nil || len(trace) != 1 || len(plant.got) != 2 || !plant.got[1].Value.Equal(number(10)) {
			t.Fatalf("applied %v: %v", plant.got, err)
		}
	})
}

type plant struct {
	live *vehicle.Live
	got  []vehicle.Reading
}

func (p *plant) Apply(_ context.Context, id vehicle.SignalID, v vehicle.Value) error {
	p.got = append(p.got, vehicle.Reading{Signal: id, Value: v})
	return nil
}
