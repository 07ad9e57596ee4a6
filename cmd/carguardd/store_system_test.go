// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// storeCar is the car between python-can nodes, and a daemon on whose store
// something is wrong.
type storeCar struct {
	*foreignCar
	p     *peerstest.Daemon
	bin   string
	state string
	light int
}

func newStoreCar(t *testing.T) *storeCar {
	t.Helper()
	c := &storeCar{foreignCar: newForeignCar(t)}
	c.start()
	c.p = newProcess(t, c.foreignCar)
	c.bin, c.state = c.p.Bin, filepath.Join(filepath.Dir(c.p.Config), "state")
	return c
}

// mounted has the daemon started in a mount namespace of its own, after the
// script has done something to $STATE.
func (c *storeCar) mounted(t *testing.T, script string) {
	t.Helper()
	if out, err := exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", os.TempDir()).CombinedOutput(); err != nil {
		t.Skipf("no mount namespaces here: %v: %s", err, out)
	}
	c.p.Bin = filepath.Join(filepath.Dir(c.p.Config), "mounted")
	text := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = run ] || exec %[1]s \"$@\"\nexport STATE=%[2]s\nexec unshare -rm sh -ec '%[3]s\nexec %[1]s \"$@\"' sh \"$@\"\n", c.bin, c.state, script)
	if err := os.WriteFile(c.p.Bin, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// acts says something that moves the car, and wants it done.
func (c *storeCar) acts(t *testing.T, when string) {
	t.Helper()
	c.light = 1 - c.light
	word := []string{"off", "on"}[c.light]
	s := c.p.Say("turn " + word + " the reading light of the driver")
	c.body.Sees(when+": the light's command", peerstest.Says("ReadingLightCommand", "ReadingLightDriverRequest", float64(c.light)))
	c.body.Tell("every 0.1 ReadingLightStatus ReadingLightDriver=%d", c.light)
	if code, out := s.Ends(); code != exitOK || !strings.Contains(out, "light is "+word) {
		t.Errorf("%s: exit %d, %s", when, code, out)
	}
}

// told waits until the journal's part of /readyz says all that, in one line.
func (c *storeCar) told(t *testing.T, when string, want ...string) {
	t.Helper()
	c.p.Await(when+": /readyz saying "+strings.Join(want, ", "), func() bool {
		text, err := c.p.Get("/readyz?verbose")
		if err != nil {
			return false
		}
		for _, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "journal") {
				for _, w := range want {
					if !strings.Contains(line, w) {
						return false
					}
				}
				return true
			}
		}
		return false
	})
}

// seen waits until the daemon sees its car.
func (c *storeCar) seen(t *testing.T) {
	t.Helper()
	c.p.Await("the car to be seen", func() bool {
		return c.p.State("window_passenger_rear_position") == "10" && c.p.State("vehicle_speed") == "0"
	})
}

// A disk that is full from the start, and one that fills while the daemon runs.
func TestSystemStoreFullDisk(t *testing.T) {
	c := newStoreCar(t)
	c.mounted(t, "mkdir -p $STATE; mount -t tmpfs -o size=12m none $STATE")
	c.p.Start()
	c.seen(t)
	c.told(t, "full", "degraded", "too little space")
	c.acts(t, "full")
	c.p.Run.Kill()

	c.mounted(t, "mkdir -p $STATE; mount -t tmpfs -o size=64m none $STATE")
	c.p.Start()
	c.seen(t)
	c.told(t, "room", "ok")
	c.acts(t, "room")
	inside := filepath.Join("/proc", fmt.Sprint(c.p.Run.PID()), "root", c.state, "filler")
	if err := exec.Command("dd", "if=/dev/zero", "of="+inside, "bs=1M").Run(); err == nil {
		t.Fatal("the disk did not become full")
	}
	c.acts(t, "filled up")
	c.told(t, "filled up", "degraded", "too little space")
	c.acts(t, "still full")
	if err := os.Remove(inside); err != nil {
		t.Fatal(err)
	}
	c.acts(t, "room again")
	c.told(t, "room again", "ok", "records could not be kept")
	if text, err := c.p.Get("/v1/turns?limit=10"); err != nil || strings.Count(text, `"utterance"`) < 2 {
		t.Errorf("the journal has: %v %s", err, text)
	}
	if err := exec.Command("dd", "if=/dev/zero", "of="+inside, "bs=1M").Run(); err == nil {
		t.Fatal("the disk did not become full again")
	}
	if err := c.p.Run.End(); err != nil {
		t.Fatal(err)
	}
	if said := c.p.Run.Complaints(); !strings.Contains(said, "left as it is") || strings.Contains(said, "SIGBUS") {
		t.Errorf("ended on a full disk: %s", said)
	}
	peerstest.Count(t, peerstest.Fault, "disks full from the start, while turns ran, and at the end", 3)
}

// A disk that cannot be written, with a store that is whole and one that is not.
func TestSystemStoreReadOnlyDisk(t *testing.T) {
	c := newStoreCar(t)
	c.p.Start()
	c.seen(t)
	c.acts(t, "before")
	if err := c.p.Run.End(); err != nil {
		t.Fatal(err)
	}
	c.mounted(t, "mount --bind $STATE $STATE; mount -o remount,bind,ro $STATE")
	c.p.Start()
	c.seen(t)
	c.told(t, "read-only", "degraded", "read-only file system")
	c.acts(t, "read-only")
	if text, err := c.p.Get("/v1/turns?limit=10"); err != nil || strings.Count(text, `"utterance"`) != 1 {
		t.Errorf("the history that was there: %v %s", err, text)
	}
	c.p.Run.Kill()
	for name, file := range map[string]string{"damaged": "badger/MANIFEST", "marked": "opening"} {
		if err := os.WriteFile(filepath.Join(c.state, file), []byte("3\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		c.p.Start()
		c.seen(t)
		c.told(t, name+" and read-only", "degraded", "read-only file system")
		c.acts(t, name+" and read-only")
		c.p.Run.Kill()
	}
	peerstest.Count(t, peerstest.Fault, "read-only disks, with a store that is whole or damaged", 3)
}

// Every damaged file: the daemon starts, says what it lost, and the car moves.
func TestSystemStoreDamaged(t *testing.T) {
	c := newStoreCar(t)
	c.p.Start()
	c.seen(t)
	for range 3 {
		c.acts(t, "before")
	}
	c.p.Run.Kill()
	died := t.TempDir()
	if err := os.CopyFS(died, os.DirFS(c.state)); err != nil {
		t.Fatal(err)
	}
	c.p.Start()
	c.seen(t)
	if err := c.p.Run.End(); err != nil {
		t.Fatal(err)
	}
	closed := t.TempDir()
	if err := os.CopyFS(closed, os.DirFS(c.state)); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, from, file string
		do               func(t *testing.T, name string)
		harmless         bool
	}{
		{"nothing", died, "*.mem", func(*testing.T, string) {}, true},
		{"log cut", died, "*.mem", cutTo(0.5), false},
		{"log with a flipped byte", died, "*.mem", spoilAt(0.5), false},
		{"log empty", died, "*.mem", cutTo(0), false},
		{"value log empty", died, "*.vlog", cutTo(0), true},
		{"key registry empty", died, "KEYREGISTRY", cutTo(0), true},
		{"table cut", closed, "*.sst", cutTo(0.9), false},
		{"table with a flipped byte", closed, "*.sst", spoilAt(0.3), false},
		{"table gone", closed, "*.sst", gone, false},
		{"manifest cut", closed, "MANIFEST", cutTo(0.9), false},
		{"manifest gone", closed, "MANIFEST", gone, false},
	}
	said := 0
	for _, test := range tests {
		if err := errors.Join(os.RemoveAll(c.state), os.CopyFS(c.state, os.DirFS(test.from))); err != nil {
			t.Fatal(err)
		}
		names, err := filepath.Glob(filepath.Join(c.state, "badger", test.file))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no such file: %v", test.name, err)
		}
		test.do(t, names[len(names)-1])
		c.p.Start()
		c.seen(t)
		if test.harmless {
			c.told(t, test.name, "ok")
		} else {
			c.told(t, test.name, "degraded")
			said++
			c.p.Await(test.name+": the log to say so", func() bool { return strings.Contains(c.p.Run.Complaints(), `"event":"history-lost"`) })
		}
		c.acts(t, test.name)
		c.p.Run.Kill()
	}
	peerstest.Count(t, peerstest.Fault, "damaged stores that the daemon started with", len(tests))
	peerstest.Count(t, peerstest.Losses, "damages that nobody was told of", len(tests)-3-said)
}

func gone(t *testing.T, name string) {
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// cutTo leaves a part of what a file holds; Badger's logs end in zeros.
func cutTo(part float64) func(*testing.T, string) {
	return func(t *testing.T, name string) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		used := len(strings.TrimRight(string(data), "\x00"))
		if err := os.Truncate(name, int64(part*float64(used))); err != nil {
			t.Fatal(err)
		}
	}
}

func spoilAt(part float64) func(*testing.T, string) {
	return func(t *testing.T, name string) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data[int(part*float64(len(strings.TrimRight(string(data), "\x00"))))] ^= 0xff
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
