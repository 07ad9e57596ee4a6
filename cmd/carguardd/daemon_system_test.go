// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cross/peerstest"
)

// binary builds the program once for a test.
func binary(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "carguardd")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// foreignCar is a car whose ECUs are python-can, on buses that outlive the
// daemon, and whose broker is mosquitto.
type foreignCar struct {
	t                *testing.T
	broker           *peerstest.Mosquitto
	ports            map[string]string // by bus
	buses            map[string]canbus.Bus
	body, powertrain *peerstest.Node
	marks            int
}

func newForeignCar(t *testing.T) *foreignCar {
	t.Helper()
	return &foreignCar{t: t, broker: peerstest.NewMosquitto(t, peerstest.Anonymous()...), buses: map[string]canbus.Bus{},
		ports: map[string]string{"body": peerstest.FreePort(t), "powertrain": peerstest.FreePort(t)}}
}

// start brings up the broker and the buses, with everything closed but two
// windows.
func (c *foreignCar) start() {
	c.t.Helper()
	c.broker.Start()
	join := func(name string) *peerstest.Node {
		b, err := canbus.Open(c.t.Context(), "socketcand-listen://127.0.0.1:"+c.ports[name]+"/"+name, canbus.Options{})
		if err != nil {
			c.t.Fatal(err)
		}
		c.t.Cleanup(func() { b.Close() })
		c.buses[name] = b
		return peerstest.JoinCAN(c.t, c.ports[name], name, filepath.Join("..", "..", "testdata", "profiles", "demo-ev", name+".dbc"))
	}
	c.body, c.powertrain = join("body"), join("powertrain")
	for _, s := range []string{"0.02 VehicleSpeed Speed=0", "0.1 DriveState SelectedGear=0 PowerMode=3",
		"0.5 BatteryStatus StateOfCharge=60 ChargeLimit=80", "1 BatterySpec Capacity=77"} {
		c.powertrain.Tell("every %s", s)
	}
	for _, s := range []string{"0.1 WindowStatus WindowDriverPosition=25 WindowPassengerPosition=100 WindowPassengerRearPosition=10", "0.1 RoofStatus",
		"0.2 ReadingLightStatus", "0.2 ClimateStatus TemperatureDriver=21 TemperaturePassenger=21 AirDistribution=1", "0.1 ExteriorLightStatus", "0.5 SeatOccupancy"} {
		c.body.Tell("every %s", s)
	}
}

// mark puts a frame on the body bus, and returns the requests of all command
// frames that python-can saw before it and has not told yet.
func (c *foreignCar) mark() []string {
	c.t.Helper()
	c.marks++
	seat := c.marks % 2
	// SeatOccupancy; python-can does not hear its own.
	if err := c.buses["body"].Send(c.t.Context(), canbus.Frame{ID: 848, Length: 1, Data: canbus.Data{byte(seat)}}); err != nil {
		c.t.Fatal(err)
	}
	_, before := c.body.Sees("the mark", peerstest.Says("SeatOccupancy", "SeatDriverOccupied", float64(seat)))
	return peerstest.Commands(before)
}

// newProcess writes the configuration for a car. The daemon does not run yet.
func newProcess(t *testing.T, c *foreignCar) *peerstest.Daemon {
	t.Helper()
	config := filepath.Join(t.TempDir(), "carguardd.yaml")
	text := fmt.Sprintf("vehicle: {id: car-1, profile: \"builtin:demo-ev\"}\nrules: \"builtin:in-car\"\n"+
		"buses:\n  body: socketcand://127.0.0.1:%s/body\n  powertrain: socketcand://127.0.0.1:%s/powertrain\n"+
		"mqtt: {url: \"%s\"}\nstore: {dir: state}\napi: {socket: control.sock}\n", c.ports["body"], c.ports["powertrain"], c.broker.URL())
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return peerstest.NewDaemon(t, binary(t), config)
}
