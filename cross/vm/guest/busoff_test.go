// SPDX-License-Identifier: Apache-2.0

//go:build vmtest

package guest

import (
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// The controller of the body bus goes bus-off for real: the daemon says so,
// sends nothing while it is off, and nothing old when it is back.
func TestBusOff(t *testing.T) {
	a := plug(t)
	power := vcan(t, "vcanpower")
	// The car is elsewhere: the test is the whole body bus.
	car(t, vcan(t, "vcanelse"), power)
	d := daemon(t, t.TempDir(), a.iface, power)
	d.Start()
	a.state("sa000000")
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
				a.says(a.state())   // the kernel may miss one: it passes over the same again
				a.says("t32220000") // ReadingLightStatus: all off
			}
		}
	}()
	degraded := func() bool { text, _ := d.Get("/readyz"); return strings.Contains(text, "degraded bus body") }
	d.Await("the reading lights", func() bool { return d.State("reading_light_driver") == "false" })
	a.sent()

	for _, state := range []string{"sw097000", "sp130000", "sb256000"} {
		a.says(a.state(state))
	}
	d.Await("the daemon to see that its controller is off", degraded)
	if code, out := d.Say("turn on the reading light of the driver").Ends(); strings.Contains(out, "Okay") {
		t.Errorf("in bus-off: exit %d, %s", code, out)
	}
	if got := a.sent(); len(got) > 0 {
		t.Errorf("sent in bus-off: %q", got)
	}
	run(t, "ip", "link", "set", a.iface, "down")
	a.state("sa000000")
	run(t, "ip", "link", "set", a.iface, "up")
	d.Await("the controller to be well again", func() bool { return !degraded() && d.State("reading_light_driver") == "false" })
	time.Sleep(time.Second) // what comes too late would come now
	if got := a.sent(); len(got) > 0 {
		t.Errorf("sent after bus-off, and nobody asked for it: %q", got)
	}
	// On a slow machine the status may be old just when it is asked for.
	d.Await("the command", func() bool {
		_, out := d.Say("turn on the reading light of the driver").Ends()
		t.Logf("said: %s", out)
		return len(a.sent()) > 0
	})
	peerstest.Count(t, peerstest.Fault, "controllers that went bus-off in a guest", 1)
}
