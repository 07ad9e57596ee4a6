// SPDX-License-Identifier: Apache-2.0

//go:build vmtest

package guest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// drive is a daemon and the simulated car at the other end of interfaces of the
// kernel. To start one takes an emulated processor ten seconds, so all that can
// happen to them happens to the same two.
type drive struct {
	*peerstest.Daemon
	car          *peerstest.Script
	mine, theirs string // interfaces of the body bus
	log          []string
}

func TestDrive(t *testing.T) {
	d := &drive{}
	d.mine, d.theirs = body(t)
	power := vcan(t, "vcanpower")
	d.car = car(t, d.theirs, power, "-fast=false")
	d.Daemon = daemon(t, t.TempDir(), d.mine, power)
	d.Start()
	d.Ready()
	for _, part := range []struct {
		name string
		run  func(*testing.T, *drive)
	}{{"the air conditioning", airConditioning}, {"the link goes down", linkDown}, {"the controller is pulled", unplug}, {"the car falls silent", silence}} {
		began := time.Now()
		part.run(t, d)
		t.Logf("%s: %v", part.name, time.Since(began).Round(time.Second/10))
		if t.Failed() {
			return // the rest begins where this should have ended
		}
	}
}

func (d *drive) degraded() bool {
	text, _ := d.Get("/readyz") // none while it is not there
	return strings.Contains(text, "degraded")
}

// The air conditioning goes on as the policy wants it, and candump sees the
// commands.
func airConditioning(t *testing.T, d *drive) {
	all := watch(t, d.theirs, "")
	said(t, d.Daemon, "turn on the air conditioning", "air conditioning is on")
	want := []string{"WindowDriverTarget=0", "WindowPassengerTarget=0", "FanLevelTarget=1", "AirConditioningRequest=On"}
	d.Await("the car to show it", func() bool { return d.State("air_conditioning") == "true" && d.State("window_driver_position") == "0" })
	all.Kill()
	d.log = all.Rest()
	if got := requests(t, d.log); !slices.Equal(got, want) {
		t.Errorf("candump saw %v, want %v", got, want)
	}
	peerstest.Count(t, peerstest.Load, "frames of a drive that candump saw in a guest", len(d.log))
}

// The link goes down in the middle of a command and comes back: nothing that
// was meant for before is sent after.
func linkDown(t *testing.T, d *drive) {
	all := watch(t, d.theirs, commandFrames)
	s := d.Say("open the sunshade to 100 percent")
	line, _ := all.Await("the command", func(string) bool { return true })
	run(t, "ip", "link", "set", d.mine, "down")
	if code, out := s.Ends(); strings.Contains(out, "Okay") && d.mine != d.theirs {
		t.Errorf("the link went down, and yet: exit %d, %s", code, out)
	}
	d.Await("the daemon to see it", d.degraded)
	said(t, d.Daemon, "turn on the reading light of the driver", "")
	run(t, "ip", "link", "set", d.mine, "up")
	d.Ready()
	time.Sleep(time.Second) // what comes too late would come now
	all.Kill()
	if again := requests(t, append([]string{line}, all.Rest()...)); slices.Contains(again, "ReadingLightDriverRequest=On") {
		t.Errorf("sent after the link came back: %v", again)
	}
	said(t, d.Daemon, "turn on the reading light of the driver", "reading light is on")
	peerstest.Count(t, peerstest.Fault, "links that went down in a command", 1)
}

// Of a car that tells nothing any more nothing is known, and nothing is sent to
// it. canplayer plays its log again, which brings it back, and cansend moves
// the state.
func silence(t *testing.T, d *drive) {
	d.car.Kill()
	d.Await("the state to grow stale", func() bool { return d.State("air_conditioning") == "" })
	silent := watch(t, d.theirs, commandFrames)
	if code, out := d.Say("set the fan to level 3").Ends(); strings.Contains(out, "Okay") {
		t.Errorf("without a car: exit %d, %s", code, out)
	}
	silent.Kill()
	t.Logf("without a car: %v", requests(t, silent.Rest()))
	peerstest.Count(t, peerstest.Fault, "cars that fell silent in a guest", 1)

	var status []string // without the commands
	for _, line := range d.log {
		if f := strings.Fields(line); len(f) == 3 && !slices.Contains([]string{"420#", "421#", "422#", "430#", "440#"}, f[2][:min(4, len(f[2]))]) {
			status = append(status, line)
		}
	}
	file := filepath.Join(t.TempDir(), "drive.log")
	if err := os.WriteFile(file, []byte(strings.Join(status, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "canplayer", "-I", file, "-g", "2", d.theirs+"="+d.theirs)
	d.Await("canplayer's drive", func() bool { return d.State("air_conditioning") == "true" })
	// Somebody in the back.
	d.Await("cansend's status", func() bool {
		run(t, "cansend", d.theirs, "350#41")
		return d.State("seats_occupied_passenger_rear") == "true"
	})
}
