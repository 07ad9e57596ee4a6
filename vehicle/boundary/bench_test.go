// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/vehicle"
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
