// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// drive is the demonstration's car on its buses, with a head unit beside it.
type drive struct {
	*sim.Bench
	clock vehicle.Clock
	exec  *vehicle.Executor
	wall  *boundary.Boundary
	live  *vehicle.Live
	xch   *canbus.Exchange
}

func newDrive(t testing.TB, clock vehicle.Clock, fast bool) *drive {
	t.Helper()
	p := demoProfile(t)
	car, err := demoWorld(t).NewCar(p)
	if err != nil {
		t.Fatal(err)
	}
	d := &drive{clock: clock, xch: &canbus.Exchange{Clock: vehicle.BusClock(clock), Sync: true}}
	topics := newTopicTable()
	d.live = vehicle.NewLive(p, clock)
	buses := map[string]boundary.Bus{}
	var ecu []sim.Bus
	for _, b := range p.Buses {
		ecu = append(ecu, sim.Bus{Name: b.Name, Bus: d.xch.Join(b.Name)})
		bus := d.xch.Join(b.Name)
		link, err := vehicle.NewCANLink(d.live, b.Name, b.DB, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(link.Attach(bus))
		buses[b.Name] = bus
	}
	states := vehicle.NewTopicLink(d.live)
	topics.heard = func(topic string, payload []byte) { states.Handle(topic, clock.Now(), payload) }
	d.Bench, err = sim.NewBench(car, sim.Config{Clock: clock, Fast: fast, Buses: ecu, Topics: topics, SetLink: d.xch.SetLink})
	if err != nil {
		t.Fatal(err)
	}
	d.wall, err = boundary.New(boundary.Config{Live: d.live, Clock: clock, Buses: buses, MQTT: topics})
	if err != nil {
		t.Fatal(err)
	}
	d.exec = vehicle.NewExecutor(vehicle.ExecutorConfig{Live: d.live, Clock: clock, Writer: d.wall, Services: d.Services()})
	if err := d.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close(); d.wall.Close() })
	return d
}
