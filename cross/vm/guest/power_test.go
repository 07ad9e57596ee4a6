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

// powered starts the car and the daemon whose store is on the disk.
func powered(t *testing.T) (*peerstest.Daemon, string) {
	t.Helper()
	bus, power := vcan(t, "vcanbody"), vcan(t, "vcanpower")
	car(t, bus, power, "-fast")
	d := daemon(t, disk, bus, power)
	return d, bus
}

// Turns run until the host takes the power away. What was answered is told on
// the console.
func TestPowerTurns(t *testing.T) {
	if os.Getenv("VM_DISK") == "" {
		t.Skip("no disk")
	}
	d, _ := powered(t)
	d.Start()
	d.Ready()
	for n := 1; ; n++ {
		level := n%5 + 1
		code, out := d.Say(fmt.Sprintf("set the fan to level %d", level)).Ends()
		if code != 0 || !strings.Contains(out, fmt.Sprintf("level %d", level)) {
			t.Fatalf("turn %d: exit %d, %s", n, code, out)
		}
		fmt.Printf("POWER answered %d\n", n)
	}
}

// After the power came back nothing is sent that nobody asks for, every turn
// that was answered is in the journal, and none is open.
func TestPowerBack(t *testing.T) {
	if os.Getenv("VM_DISK") == "" {
		t.Skip("no disk")
	}
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
	said(t, d, "turn on the reading light of the driver", "reading light is on")
}
