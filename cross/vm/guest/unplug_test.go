// SPDX-License-Identifier: Apache-2.0

//go:build vmtest

package guest

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// A controller is pulled and comes back with another index: the daemon takes it
// up again by its name.
func TestUnplug(t *testing.T) {
	power := vcan(t, "vcanpower")
	var mine, theirs string
	var pull, push func()
	if _, err := net.InterfaceByName("can1"); err == nil {
		mine, theirs = body(t)
		device, err := filepath.EvalSymlinks("/sys/class/net/" + mine + "/device")
		if err != nil {
			t.Fatal(err)
		}
		write := func(file string) {
			if err := os.WriteFile(file, []byte("1"), 0); err != nil {
				t.Fatal(err)
			}
		}
		pull = func() { write(filepath.Join(device, "remove")) }
		push = func() { write("/sys/bus/pci/rescan"); controller(t, mine) }
	} else {
		// Without controllers, a virtual interface that is made anew; the car keeps
		// another one, and the kernel passes frames between the two.
		mine, theirs = vcan(t, "vcanmine"), "vcanmine"
		pull = func() { run(t, "ip", "link", "del", mine) }
		push = func() {
			run(t, "ip", "link", "add", mine, "type", "vcan")
			run(t, "ip", "link", "set", mine, "up")
		}
	}
	before, err := net.InterfaceByName(mine)
	if err != nil {
		t.Fatal(err)
	}
	car(t, theirs, power)
	d := daemon(t, t.TempDir(), mine, power)
	d.Start()
	d.Ready()
	pull()
	d.Await("the daemon to see it", func() bool { text, _ := d.Get("/readyz"); return strings.Contains(text, "degraded") })
	if code, out := d.Say("turn on the reading light of the driver").Ends(); strings.Contains(out, "Okay") {
		t.Errorf("without the controller: exit %d, %s", code, out)
	}
	push()
	after, err := net.InterfaceByName(mine)
	if err != nil {
		t.Fatal(err)
	}
	if after.Index == before.Index {
		t.Fatalf("%s came back with its old index %d", mine, after.Index)
	}
	d.Ready()
	said(t, d, "turn on the reading light of the driver", "reading light is on")
	peerstest.Count(t, peerstest.Fault, "controllers pulled and plugged in again in a guest", 1)
}
