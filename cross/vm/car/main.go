// SPDX-License-Identifier: Apache-2.0

// Car is the simulated demonstration car alone, with its broker, on buses that
// a daemon in another process joins: what a guest drives. It runs until it is
// killed.
//
// # What it does not do
//
// It says nothing but that it is ready, takes no commands but those on its
// buses and topics, and injects no faults.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
	"github.com/carguardd/carguardd/vehicle/sim"
)

func main() {
	body := flag.String("body", "socketcan:vcan0", "bus of that name")
	powertrain := flag.String("powertrain", "socketcan:vcan1", "bus of that name")
	addr := flag.String("broker", "127.0.0.1:1883", "where the broker listens")
	state := flag.String("state", "", "signal=value,… on top of the usual start")
	fast := flag.Bool("fast", false, "everything settles at once")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, map[string]string{"body": *body, "powertrain": *powertrain}, *addr, *state, *fast); err != nil {
		fmt.Fprintln(os.Stderr, "car:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, urls map[string]string, addr, state string, fast bool) error {
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		return err
	}
	data, err := fs.Sub(testdata.FS, path.Join(path.Dir(testdata.DemoEV), "data"))
	if err != nil {
		return err
	}
	world, err := sim.LoadWorld(data)
	if err != nil {
		return err
	}
	car, err := world.NewCar(p)
	if err != nil {
		return err
	}
	var buses []sim.Bus
	for _, b := range p.Buses {
		bus, err := canbus.Open(ctx, urls[b.Name], canbus.Options{})
		if err != nil {
			return fmt.Errorf("bus %s: %w", b.Name, err)
		}
		defer bus.Close()
		buses = append(buses, sim.Bus{Name: b.Name, Bus: bus})
	}
	client, err := connect(ctx, addr)
	if err != nil {
		return err
	}
	bench, err := sim.NewBench(car, sim.Config{Clock: vehicle.NewSystemClock(), Buses: buses, Fast: fast, Topics: client.Bindings()})
	if err != nil {
		return err
	}
	defer bench.Close()
	if err := bench.SetState(state); err != nil {
		return err
	}
	if err := bench.Start(ctx); err != nil {
		return err
	}
	fmt.Println("car: ready")
	<-ctx.Done()
	return nil
}

// connect starts a broker and returns the car's own client of it.
func connect(ctx context.Context, addr string) (*mqtt.Client, error) {
	b, err := broker.New(addr, zerolog.Nop())
	if err != nil {
		return nil, err
	}
	if err := b.Start(); err != nil {
		return nil, err
	}
	topics, err := mqtt.NewTopics("car-1")
	if err != nil {
		return nil, err
	}
	c, err := mqtt.New(mqtt.Config{URL: b.URL(), Dial: b.Dial, Topics: topics, ClientID: "car"}, zerolog.Nop())
	if err != nil {
		return nil, err
	}
	go c.Run(ctx) // until the program ends
	for !c.Connected() {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return c, nil
}
