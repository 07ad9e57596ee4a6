// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// instant is a car in the same process that is at once where it is told to be.
type instant struct {
	live  *vehicle.Live
	clock vehicle.Clock
}

func (i instant) Apply(_ context.Context, id vehicle.SignalID, v vehicle.Value) error {
	i.live.Observe(id, v, i.clock.Now(), vehicle.Source{Bus: "plant"})
	return nil
}

// With a car in the same process and a clock that stands still, a thousand
// calls are carried out without anybody turning the clock.
func TestExecutionNeedsNoTimeWhenTheCarNeedsNone(t *testing.T) {
	clock := vehicletest.NewClock(epoch)
	live := vehicle.NewLive(vehicletest.Profile(), clock)
	live.Observe(live.Profile().Signal("ignition").ID, vehicle.BoolOf(true), epoch, vehicle.Source{})
	b, err := boundary.New(boundary.Config{Live: live, Clock: clock, Plant: instant{live, clock}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	e := vehicle.NewExecutor(vehicle.ExecutorConfig{Live: live, Clock: clock, Writer: b})
	for i := range 1000 {
		r := e.Do(t.Context(), call("open_close_window", fmt.Sprintf(`{"window":"ALL","percentage":%d}`, i%101)))
		if r.Status != vehicle.Done {
			t.Fatalf("call %d: %s: %s", i, r.Status, r.Reason)
		}
		if v := live.Value(live.Profile().Signal("window_passenger_position").ID); !v.Equal(number(float64(i % 101))) {
			t.Fatalf("call %d: the window is at %v", i, v)
		}
	}
	if clock.Mono() != 0 || clock.Waiting() != 0 {
		t.Fatalf("clock is at %v with %d timers", clock.Mono(), clock.Waiting())
	}
}
