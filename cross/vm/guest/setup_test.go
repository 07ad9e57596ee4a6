// SPDX-License-Identifier: Apache-2.0

//go:build vmtest

package guest

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// patience is how long a test waits for something that should happen at once, on
// an emulated processor of a busy machine.
const patience = 90 * time.Second

// run runs a program to its end.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// vcan makes a virtual interface for a test.
func vcan(t *testing.T, name string) string {
	t.Helper()
	run(t, "ip", "link", "add", name, "type", "vcan")
	t.Cleanup(func() { _ = exec.Command("ip", "link", "del", name).Run() })
	run(t, "ip", "link", "set", name, "up")
	return name
}

// controller brings an emulated controller up.
func controller(t *testing.T, name string) string {
	t.Helper()
	run(t, "ip", "link", "set", name, "up", "type", "can", "bitrate", "500000")
	t.Cleanup(func() { _ = exec.Command("ip", "link", "set", name, "down").Run() })
	return name
}

// body is the pair of interfaces of the body bus, the daemon's and the car's:
// the two emulated controllers where the board has them, else a virtual one.
func body(t *testing.T) (daemon, car string) {
	t.Helper()
	if _, err := net.InterfaceByName("can1"); err == nil {
		return controller(t, "can0"), controller(t, "can1")
	}
	v := vcan(t, "vcanbody")
	return v, v
}

// example is the car's start: two windows that the air conditioning minds.
const example = "window_driver_position=25,window_passenger_position=100,window_passenger_rear_position=10"

// car starts the simulated car.
func car(t *testing.T, body, powertrain string, more ...string) *peerstest.Script {
	t.Helper()
	s := peerstest.Run(t, "/bin/car", append([]string{"-body", "socketcan:" + body, "-powertrain", "socketcan:" + powertrain, "-state", example, "-fast"}, more...)...)
	s.Await("the car", func(line string) bool { return line == "car: ready" })
	return s
}

// daemon is the daemon on a pair of interfaces, not started yet. Dir keeps its
// store.
func daemon(t *testing.T, dir, body, powertrain string) *peerstest.Daemon {
	t.Helper()
	config := filepath.Join(dir, "carguardd.yaml")
	text := fmt.Sprintf("vehicle: {id: car-1, profile: \"builtin:demo-ev\"}\nrules: \"builtin:in-car\"\n"+
		"buses: {body: \"socketcan:%s\", powertrain: \"socketcan:%s\"}\nmqtt: {url: \"tcp://127.0.0.1:1883\"}\n"+
		"services: {navigation: builtin, weather: builtin, contacts: builtin}\nstore: {dir: state}\napi: {socket: control.sock}\n", body, powertrain)
	if _, err := os.Stat(vendor); err == nil {
		text += fmt.Sprintf("bundles: {root: %s/metadata/1.root.json, source: %s}\n", vendor, vendor)
	}
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d := peerstest.NewDaemon(t, "/bin/carguardd", config)
	d.Patience = patience
	return d
}

// vendor is where the host may have put what a vendor of rules publishes.
const vendor = "/vendor"

// commandFrames are the identifiers of the body bus's commands, as candump
// filters.
const commandFrames = ",420:7FF,421:7FF,422:7FF,430:7FF,440:7FF"

// watch has candump write what passes on an interface.
func watch(t *testing.T, iface, filter string) *peerstest.Script {
	t.Helper()
	return peerstest.Run(t, "candump", "-L", iface+filter)
}

// requests reads lines of candump with the program's own decoder, and returns
// what was asked for as Signal=value.
func requests(t *testing.T, lines []string) []string {
	t.Helper()
	cmd := exec.Command("/bin/carguardd", "can", "decode", "--dbc", "/dbc/body.dbc", "--json", "-")
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("can decode: %v\n%s", err, strings.Join(lines, "\n"))
	}
	var all []string
	for line := range strings.Lines(string(out)) {
		var f struct {
			Message string
			Signals map[string]any
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f.Message, "Command") {
			continue
		}
		for _, name := range slices.Sorted(slices.Values(keys(f.Signals))) {
			v := f.Signals[name]
			// What asks for nothing is out of its range, or called so.
			if v == nil || v == "NoRequest" {
				continue
			}
			all = append(all, fmt.Sprintf("%s=%v", name, v))
		}
	}
	return all
}

func keys(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

// said says something and expects the reply to hold a text.
func said(t *testing.T, d *peerstest.Daemon, text, reply string) {
	t.Helper()
	if code, out := d.Say(text).Ends(); code != 0 || !strings.Contains(out, reply) {
		t.Errorf("%q: exit %d, want %q in %q", text, code, reply, out)
	}
}
