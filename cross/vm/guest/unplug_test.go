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
func unplug(t *testing.T, d *drive) {
	pull, push := plugs(t, d.mine)
	before, err := net.InterfaceByName(d.mine)
	if err != nil {
		t.Fatal(err)
	}
	pull()
	d.Await("the daemon to see it", d.degraded)
	if code, out := d.Say("turn off the reading light of the driver").Ends(); strings.Contains(out, "Okay") {
		t.Errorf("without the controller: exit %d, %s", code, out)
	}
	push()
	after, err := net.InterfaceByName(d.mine)
	if err != nil {
		t.Fatal(err)
	}
	if after.Index == before.Index {
		t.Fatalf("%s came back with its old index %d", d.mine, after.Index)
	}
	d.Ready()
	said(t, d.Daemon, "turn off the reading light of the driver", "reading light is off")
	peerstest.Count(t, peerstest.Fault, "controllers pulled and plugged in again in a guest", 1)
}

// plugs pull an interface out and push it in again: a PCI device; a virtual
// interface is made anew.
func plugs(t *testing.T, iface string) (pull, push func()) {
	t.Helper()
	device, err := filepath.EvalSymlinks("/sys/class/net/" + iface + "/device")
	if err != nil {
		pull = func() { run(t, "ip", "link", "del", iface) }
		return pull, func() {
			run(t, "ip", "link", "add", iface, "type", "vcan")
			run(t, "ip", "link", "set", iface, "up")
		}
	}
	write := func(file string) {
		if err := os.WriteFile(file, []byte("1"), 0); err != nil {
			t.Fatal(err)
		}
	}
	pull = func() { write(filepath.Join(device, "remove")) }
	return pull, func() { write("/sys/bus/pci/rescan"); controller(t, iface) }
}
