// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// daemon is `carguardd run` in a process of its own.
type process struct {
	t           *testing.T
	bin, config string
	socket      string
	run         *peerstest.Script
}

// newProcess writes the configuration for a car. The daemon does not run yet.
func newProcess(t *testing.T, c *foreignCar) *process {
	t.Helper()
	dir := t.TempDir()
	p := &process{t: t, bin: binary(t), config: filepath.Join(dir, "carguardd.yaml"), socket: filepath.Join(dir, "control.sock")}
	text := fmt.Sprintf("vehicle: {id: car-1, profile: \"builtin:demo-ev\"}\nrules: \"builtin:in-car\"\n"+
		"buses:\n  body: socketcand://127.0.0.1:%s/body\n  powertrain: socketcand://127.0.0.1:%s/powertrain\n"+
		"mqtt: {url: \"%s\"}\nstore: {dir: state}\napi: {socket: control.sock}\n", c.ports["body"], c.ports["powertrain"], c.broker.URL())
	if err := os.WriteFile(p.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// start runs the daemon until its socket answers.
func (p *process) start() {
	p.t.Helper()
	p.run = peerstest.Run(p.t, p.bin, "run", "--config", p.config)
	p.await("the socket", func() bool { _, err := p.get("/healthz"); return err == nil })
}

// get asks the daemon's API.
func (p *process) get(path string) (string, error) {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", p.socket)
	}
	client := &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}, Timeout: 5 * time.Second}
	res, err := client.Get("http://carguardd" + path)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = errors.New(res.Status)
	}
	return string(body), err
}

// state is the value of a signal in GET /v1/state, as text.
func (p *process) state(signal string) string {
	text, err := p.get("/v1/state")
	if err != nil {
		return err.Error()
	}
	var doc struct {
		Signals []struct {
			Name  string          `json:"name"`
			Value json.RawMessage `json:"v"`
		} `json:"signals"`
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		p.t.Fatalf("%v: %s", err, text)
	}
	for _, s := range doc.Signals {
		if s.Name == signal {
			return string(s.Value)
		}
	}
	return ""
}

func (p *process) await(what string, condition func() bool) {
	p.t.Helper()
	for end := time.Now().Add(peerstest.Patience); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s: not within %v\n%s", what, peerstest.Patience, p.run.Complaints())
		}
	}
}

// ready waits until no part is degraded and the car has spoken.
func (p *process) ready() {
	p.t.Helper()
	p.await("everything to be well", func() bool {
		text, err := p.get("/readyz")
		return err == nil && !strings.Contains(text, "degraded") && p.state("window_passenger_rear_position") == "10" && p.state("vehicle_speed") == "0"
	})
}

// saying is `carguardd say` under way.
type saying struct {
	cmd      *exec.Cmd
	out, err strings.Builder
}

func (p *process) say(text ...string) *saying {
	p.t.Helper()
	s := &saying{cmd: exec.Command(p.bin, append([]string{"say", "--socket", p.socket}, text...)...)}
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.err
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	return s
}

// ends returns the exit code and everything printed.
func (s *saying) ends() (int, string) {
	_ = s.cmd.Wait() // the exit code says it
	return s.cmd.ProcessState.ExitCode(), s.out.String() + s.err.String()
}
