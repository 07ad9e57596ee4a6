// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// vehicleID names the bench's car in topics.
const vehicleID = "bench"

// openBuses joins every bus of the profile twice: as the daemon and as the
// simulated car. A bus that foreign tools may join is served on its address.
func (r *Rig) openBuses(ctx context.Context, p *vehicle.Profile) (map[string]canbus.Bus, []sim.Bus, error) {
	x := &canbus.Exchange{Clock: vehicle.BusClock(r.o.Clock), Sync: r.o.Fast}
	r.exchange = x
	daemon := map[string]canbus.Bus{}
	var car []sim.Bus
	for _, b := range p.Buses {
		if addr, ok := r.o.Listen[b.Name]; ok {
			url := "socketcand-listen://" + addr + "/" + b.Name
			if strings.HasPrefix(addr, "slcan-pty:") {
				url = addr + "?name=" + b.Name
			}
			srv, err := canbus.Open(ctx, url, canbus.Options{Clock: vehicle.BusClock(r.o.Clock), Mem: x})
			if err != nil {
				return nil, nil, fmt.Errorf("let others join bus %s: %w", b.Name, err)
			}
			r.closers = append(r.closers, func() { srv.Close() })
		}
		d, c := x.Join(b.Name), x.Join(b.Name)
		r.closers = append(r.closers, func() { d.Close() }, func() { c.Close() })
		daemon[b.Name] = d
		car = append(car, sim.Bus{Name: b.Name, Bus: c})
		if r.o.Tap != nil {
			tap := x.Join(b.Name)
			tap.Subscribe(func(e canbus.Event) { r.o.Tap(b.Name, e) })
			r.closers = append(r.closers, func() { tap.Close() })
		}
	}
	return daemon, car, nil
}

// carTopics is the simulated car's own connection to the broker.
type carTopics struct {
	topics mqtt.Topics
	client *mqtt.Client
}

// openBroker starts the broker, unless one runs elsewhere, and returns the
// daemon's client, which the system runs, and the car's, which runs already.
func (r *Rig) openBroker(ctx context.Context) (*mqtt.Client, carTopics, error) {
	none := carTopics{}
	topics, err := mqtt.NewTopics(vehicleID)
	if err != nil {
		return nil, none, err
	}
	cfg := mqtt.Config{URL: r.o.BrokerURL, Topics: topics, MinBackoff: 20 * time.Millisecond, MaxBackoff: 500 * time.Millisecond}
	if cfg.URL == "" {
		if err := r.embedBroker(&cfg); err != nil {
			return nil, none, err
		}
	}
	client := func(id string) (*mqtt.Client, error) {
		own := cfg
		own.ClientID, own.Announce = id, id == "bench-daemon"
		return mqtt.New(own, r.o.Log)
	}
	daemon, err := client("bench-daemon")
	if err != nil {
		return nil, none, err
	}
	car, err := client("bench-car")
	if err != nil {
		return nil, none, err
	}
	r.client, r.car = daemon, car
	done := make(chan error, 1)
	go func() { done <- car.Run(ctx) }()
	r.closers = append(r.closers, func() { <-done })
	return daemon, carTopics{topics, car}, connected(ctx, car)
}

// embedBroker starts a broker in this process for clients of the
// configuration.
func (r *Rig) embedBroker(cfg *mqtt.Config) (err error) {
	if r.Broker, err = broker.New(r.o.Broker, r.o.Log); err != nil {
		return err
	}
	if err := r.Broker.Start(); err != nil {
		return err
	}
	r.closers = append(r.closers, func() { r.Broker.Stop() })
	cfg.URL, cfg.Dial = r.Broker.URL(), r.Broker.Dial
	return nil
}

// connected waits until the client has the broker. Without it what the car
// says at first, and a command to it, would be lost.
func connected(ctx context.Context, c *mqtt.Client) error {
	ctx, end := context.WithTimeout(ctx, settleTime)
	defer end()
	for !c.Connected() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the broker does not answer: %w", errors.Join(ctx.Err(), c.Link().Err))
		case <-time.After(2 * time.Millisecond):
		}
	}
	return nil
}

// simulate puts the simulated car on the buses, in the state asked for.
func (r *Rig) simulate(p *vehicle.Profile, w *sim.World, nodes []sim.Bus, t carTopics) error {
	if r.o.At != "" {
		here, ok := w.Data.PlaceNamed(r.o.At)
		if !ok {
			return noPlace(r.o.At, w.Data)
		}
		w.Context.Here = here.Show
	}
	car, err := w.NewCar(p)
	if err != nil {
		return err
	}
	r.Bench, err = sim.NewBench(car, sim.Config{Clock: r.o.Clock, Buses: nodes, Fast: r.o.Fast, Adopt: len(r.o.Listen) > 0,
		SetLink: r.exchange.SetLink,
		Topics:  t.client.Bindings()})
	if err != nil {
		return err
	}
	if _, err := sim.ParseState(p, r.o.State); err != nil {
		return &OptionError{err}
	}
	return r.Bench.SetState(r.o.State)
}
