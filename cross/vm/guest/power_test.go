// SPDX-License-Identifier: Apache-2.0

//go:build vmtest

package guest

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// disk is where the host's disk is mounted.
const disk = "/disk"

// powered is the car, and the daemon whose store is on the disk.
func powered(t *testing.T) (*peerstest.Daemon, string) {
	t.Helper()
	if os.Getenv("VM_DISK") == "" {
		t.Fatal("no disk: cross/vm runs this in a guest that has one")
	}
	bus, power := vcan(t, "vcanbody"), vcan(t, "vcanpower")
	car(t, bus, power, "-fast")
	return daemon(t, disk, bus, power), bus
}

// The first life on a disk: newer rules are taken up, something stays open, and
// turns run until the host takes the power away.
func TestPowerFirst(t *testing.T) {
	d, _ := powered(t)
	d.Start()
	d.Ready()
	t.Log(run(t, "/bin/carguardd", "bundle", "install", "--socket", d.Socket()))
	inForce(t, d)
	said(t, d, "charge to 100 percent", "anyway?")
	turns(t, d)
}

// The power came back, and goes away again.
func TestPowerAgain(t *testing.T) {
	d := back(t)
	turns(t, d)
}

// The power came back for good: what was asked for before the first cut is
// still open, and can be taken back.
func TestPowerLast(t *testing.T) {
	d := back(t)
	said(t, d, "turn on the reading light of the driver", "reading light is on")
	out := run(t, "/bin/carguardd", "say", "--json", "--socket", d.Socket(), "never mind the charge limit")
	var turn struct {
		Asks []struct{ Text, State string }
	}
	if err := json.Unmarshal([]byte(out), &turn); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if len(turn.Asks) != 1 || turn.Asks[0].Text != "charge to 100 percent" || turn.Asks[0].State != "withdrawn" {
		t.Errorf("the ledger: %+v", turn.Asks)
	}
}

// turns run for ever. What was answered is told on the console.
func turns(t *testing.T, d *peerstest.Daemon) {
	t.Helper()
	for n := 1; ; n++ {
		level := n%5 + 1
		code, out := d.Say(fmt.Sprintf("set the fan to level %d", level)).Ends()
		if code != 0 || !strings.Contains(out, fmt.Sprintf("level %d", level)) {
			t.Fatalf("turn %d: exit %d, %s", n, code, out)
		}
		fmt.Printf("POWER answered %d\n", n)
	}
}

// back is the daemon after the power came back: nothing is sent that nobody asks
// for, the newer rules are in force, every turn that was answered is in the
// journal, and none is open.
func back(t *testing.T) *peerstest.Daemon {
	t.Helper()
	d, bus := powered(t)
	sent := watch(t, bus, commandFrames)
	d.Start()
	d.Ready()
	time.Sleep(3 * time.Second) // what would be done twice would be done now
	sent.Kill()
	if got := requests(t, sent.Rest()); len(got) > 0 {
		t.Errorf("sent after the power came back: %v", got)
	}
	peerstest.Count(t, peerstest.Losses, "commands sent again after a power cut", len(sent.Rest()))
	inForce(t, d)
	out := run(t, "/bin/carguardd", "trace", "list", "-n", "1000", "--json", "--socket", d.Socket())
	turns, open := 0, 0
	for line := range strings.Lines(out) {
		var turn struct{ ID, Utterance, Outcome string }
		if err := json.Unmarshal([]byte(line), &turn); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		turns++
		if turn.Outcome == "" {
			open++
		}
	}
	fmt.Printf("POWER turns %d open %d\n", turns, open)
	return d
}

// inForce expects the vendor's rules to be those that decide.
func inForce(t *testing.T, d *peerstest.Daemon) {
	t.Helper()
	out := run(t, "/bin/carguardd", "bundle", "status", "--json", "--socket", d.Socket())
	var status struct {
		Revision int `json:"active_revision"`
	}
	if err := json.Unmarshal([]byte(out), &status); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if status.Revision != 2 {
		t.Errorf("revision %d is in force, want 2:\n%s", status.Revision, out)
	}
}
