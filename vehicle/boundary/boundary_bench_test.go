// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func BenchmarkWrite(b *testing.B) {
	p := vehicletest.Profile()
	p.Limits.BusLoad, p.Limits.Rates = 1<<30, nil
	clock := vehicle.NewSystemClock()
	live := vehicle.NewLive(p, clock)
	x := &canbus.Exchange{Sync: true}
	x.SetLink("body", canbus.Link{State: canbus.LinkUp})
	bd, err := boundary.New(boundary.Config{Live: live, Clock: clock, Buses: map[string]boundary.Bus{"body": x.Join("body")}})
	if err != nil {
		b.Fatal(err)
	}
	defer bd.Close()
	for name, v := range map[string]vehicle.Value{"vehicle_speed": number(0), "gear": text("P"), "ignition": vehicle.BoolOf(true), "window_driver_position": number(50)} {
		live.SetFresh(p.Signal(name).ID, 0)
		live.Observe(p.Signal(name).ID, v, clock.Now(), vehicle.Source{})
	}
	cmd := vehicle.Command{Signal: p.Signal("window_driver_position").ID, Value: number(20), Call: "c1", Epoch: 1}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bd.Write(b.Context(), cmd); err != nil {
			b.Fatal(err)
		}
	}
}
