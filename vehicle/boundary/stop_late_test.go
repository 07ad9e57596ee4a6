// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// stubbornBus is a bus whose next write takes its time, whatever its context
// says, and then leaves all the same.
type stubbornBus struct {
	boundary.Bus
	mu   sync.Mutex
	hang time.Duration
}

func (b *stubbornBus) Send(ctx context.Context, f canbus.Frame) error {
	b.mu.Lock()
	hang := b.hang
	b.hang = 0
	b.mu.Unlock()
	if hang > 0 {
		time.Sleep(hang)
		ctx = context.WithoutCancel(ctx)
	}
	return b.Bus.Send(ctx, f)
}

// A driver that does not keep a deadline holds neither the stop back, nor has
// its late frame the last word.
func TestStopOvertakesAStubbornWrite(t *testing.T) {
	for _, c := range []struct {
		name   string
		hang   time.Duration
		frames int // of the stop
	}{
		{"shorter than a stop", 60 * time.Millisecond, 2},
		{"longer than a stop", time.Minute, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				bus := &stubbornBus{Bus: b.Bus}
				bd, err := boundary.New(boundary.Config{Live: b.Live, Clock: b.Clock, Buses: map[string]boundary.Bus{"body": bus}, MQTT: b.Broker})
				if err != nil {
					t.Fatal(err)
				}
				defer bd.Close()
				b.Boundary = bd
				begin(t, b)
				bus.hang = c.hang
				on := command(b, "window_driver_position", number(90))
				late := make(chan error)
				go func() {
					_, err := bd.Write(context.Background(), on)
					late <- err
				}()
				synctest.Wait()
				start := time.Now()
				trace, err := bd.Stop(t.Context())
				if took := time.Since(start); err != nil || took > 100*time.Millisecond {
					t.Fatalf("stop took %v: %v", took, err)
				}
				if len(trace) != c.frames || trace[0].At.Sub(start) > 50*time.Millisecond {
					t.Fatalf("sent %v", trace)
				}
				time.Sleep(10 * time.Second) // before the minute is over
				if v, _ := b.Car.Get("window_driver_position").Float(); v < 30 || v > 40 {
					t.Errorf("the window ended at %g", v)
				}
				<-late
			})
		})
	}
}

// The stop tries again while the queue is full, and says so when it stays full.
func TestStopOnAFullQueue(t *testing.T) {
	for _, c := range []struct {
		name  string
		full  int
		stops bool
	}{
		{"for three frames", 3, true},
		{"for good", 1 << 30, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			withFullBus(t, 0, func(t *testing.T, b *vehicletest.Bench, bus *fullBus) {
				begin(t, b)
				bus.mu.Lock()
				bus.left = c.full
				bus.mu.Unlock()
				start := time.Now()
				trace, err := b.Boundary.Stop(t.Context())
				if took := time.Since(start); took > 101*time.Millisecond {
					t.Fatalf("stop took %v", took)
				}
				if (err == nil) != c.stops || (len(trace) == 1) != c.stops {
					t.Fatalf("sent %v: %v", trace, err)
				}
			})
		})
	}
}

// A stop ends the epoch: what began before it may not move anything, what
// begins after it may.
func TestStopBeginsAnEpoch(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		old, over := b.Boundary.Epoch()
		window, fan := command(b, "window_driver_position", number(50)), command(b, "fan_speed", number(2))
		if _, err := b.Boundary.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		select {
		case <-over:
		default:
			t.Error("the old epoch goes on")
		}
		now, over := b.Boundary.Epoch()
		if now == old {
			t.Errorf("the epoch is still %d", now)
		}
		select {
		case <-over:
			t.Error("the new epoch is over")
		default:
		}
		_, err := b.Boundary.Write(t.Context(), window)
		if r := refusal(t, err); r.Gate != vehicle.GateStop || r.Evidence != "everything was stopped since its turn began" {
			t.Error(r)
		}
		if _, err := b.Boundary.Write(t.Context(), fan); err != nil {
			t.Errorf("what does not move: %v", err)
		}
		if _, err := b.Boundary.Write(t.Context(), command(b, "window_driver_position", number(50))); err != nil {
			t.Errorf("a turn that began after the stop: %v", err)
		}
	})
}

// A stop does not wait for a movement that is about to leave: it ends it.
func TestStopEndsAWriteUnderWay(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		begin(t, b)
		b.Bus.SlowSend(time.Hour)
		on, late := command(b, "window_driver_position", number(90)), make(chan error, 1)
		go func() {
			_, err := b.Boundary.Write(context.Background(), on)
			late <- err
		}()
		synctest.Wait()
		b.Bus.SlowSend(0)
		start := time.Now()
		if _, err := b.Boundary.Stop(t.Context()); err != nil || time.Since(start) > 0 {
			t.Errorf("stop took %v: %v", time.Since(start), err)
		}
		if err := <-late; err == nil {
			t.Error("the movement left")
		}
	})
}

// A stop that comes after the gates were asked is seen all the same, right
// before the frame leaves.
func TestStopWhileTheGuardIsAsked(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		cmd := command(b, "window_driver_position", number(90))
		var wg sync.WaitGroup
		cmd.Guard = func(vehicle.Command) error {
			wg.Go(func() { _, _ = b.Boundary.Stop(context.Background()) })
			for e, _ := b.Boundary.Epoch(); e == cmd.Epoch; e, _ = b.Boundary.Epoch() {
				time.Sleep(time.Millisecond)
			}
			return nil
		}
		_, err := b.Boundary.Write(t.Context(), cmd)
		if r := refusal(t, err); r.Gate != vehicle.GateStop || len(b.Car.Received()) != 0 {
			t.Fatal(r)
		}
		wg.Wait()
	})
}
