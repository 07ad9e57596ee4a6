// SPDX-License-Identifier: Apache-2.0

package vehicletest

import (
	"sync"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/canbustest"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
)

// Bench is the car of [Profile] wired up as a daemon wires a real one: a
// scripted car on an in-process bus, the live state, the boundary and the
// executor.
type Bench struct {
	Profile  *vehicle.Profile
	Clock    vehicle.Clock
	Exchange *canbus.Exchange
	Bus      *canbustest.Faulty // the daemon's side of the bus "body"
	Car      *Car
	Broker   *Broker
	Live     *vehicle.Live
	Boundary *boundary.Boundary
	Executor *vehicle.Executor
	Services map[string]vehicle.Service // to be filled before the first call

	mu      sync.Mutex
	refused []*vehicle.Refusal
	cancel  func()
}

// NewBench wires up the car on the clock and starts it with closed windows,
// parked, ignition on, everything off. Frames are delivered in the goroutine
// of the sender.
func NewBench(c vehicle.Clock) *Bench {
	b := &Bench{Profile: Profile(), Clock: c, Broker: &Broker{}, Services: map[string]vehicle.Service{}}
	b.Exchange = &canbus.Exchange{Clock: vehicle.BusClock(c), Sync: true}
	b.Exchange.SetLink("body", canbus.Link{State: canbus.LinkUp})
	b.Car = NewCar(b.Profile, c, "body", b.Exchange.Join("body"))
	b.Bus = canbustest.NewFaulty(b.Exchange.Join("body"), vehicle.BusClock(c))
	b.Live = vehicle.NewLive(b.Profile, c)
	link, err := vehicle.NewCANLink(b.Live, "body", b.Profile.Databases()["body"], nil)
	if err != nil {
		panic(err)
	}
	b.cancel = link.Attach(b.Bus)
	topics := vehicle.NewTopicLink(b.Live)
	b.Broker.Answer = func(m Message) {
		if m.Topic == "set/ambient_light" {
			topics.Handle("state/ambient_light", c.Now(), []byte(m.Payload))
		}
	}
	b.Boundary, err = boundary.New(boundary.Config{Live: b.Live, Clock: c, Buses: map[string]boundary.Bus{"body": b.Bus}, MQTT: b.Broker,
		Refused: func(_ boundary.Command, r *boundary.Refusal) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.refused = append(b.refused, r)
		}})
	if err != nil {
		panic(err)
	}
	b.Executor = vehicle.NewExecutor(vehicle.ExecutorConfig{Live: b.Live, Clock: c, Writer: b.Boundary, Services: b.Services})
	for _, n := range []string{"window_driver_position", "window_passenger_position", "sunroof_position", "sunshade_position", "fan_speed", "vehicle_speed"} {
		b.Car.Set(n, vehicle.NumberOf(0))
	}
	b.Car.Set("window_driver_state", vehicle.TextOf("IDLE"))
	b.Car.Set("air_conditioning", vehicle.BoolOf(false))
	b.Car.Set("trunk_door_position", vehicle.TextOf("CLOSED"))
	b.Car.Set("gear", vehicle.TextOf("P"))
	b.Car.Set("ignition", vehicle.BoolOf(true))
	b.Car.Start()
	return b
}

// Refused returns the refusals that were reported.
func (b *Bench) Refused() []*vehicle.Refusal {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]*vehicle.Refusal(nil), b.refused...)
}

// Signal returns the id of a signal.
func (b *Bench) Signal(name string) vehicle.SignalID { return b.Profile.Signal(name).ID }

// Close ends the car and the boundary.
func (b *Bench) Close() {
	b.Car.Close()
	b.cancel()
	b.Boundary.Close()
	_ = b.Bus.Close() // nothing is open below an in-process bus
}
