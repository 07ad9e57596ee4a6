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

// The air conditioning goes on as the policy wants it, over interfaces of the
// kernel, with the simulated car at the other end; candump sees the commands,
// canplayer plays the drive again to a daemon without a car, and cansend moves
// the state.
func TestDrive(t *testing.T) {
	mine, theirs := body(t)
	power := vcan(t, "vcanpower")
	c := car(t, theirs, power)
	all := watch(t, theirs, "")
	d := daemon(t, t.TempDir(), mine, power)
	d.Start()
	d.Ready()
	said(t, d, "turn on the air conditioning", "air conditioning is on")
	want := []string{"WindowDriverTarget=0", "WindowPassengerTarget=0", "FanLevelTarget=1", "AirConditioningRequest=On"}
	d.Await("the car to show it", func() bool { return d.State("air_conditioning") == "true" && d.State("window_driver_position") == "0" })
	all.Kill()
	log := all.Rest()
	if got := requests(t, log); !slices.Equal(got, want) {
		t.Errorf("candump saw %v, want %v", got, want)
	}
	// Somebody in the back of whom the car tells nothing, twice a second.
	d.Await("cansend's status", func() bool {
		run(t, "cansend", theirs, "350#41")
		return d.State("seats_occupied_passenger_rear") == "true"
	})

	// The car is gone: nothing is known any more, nothing is sent.
	c.Kill()
	d.Await("the state to grow stale", func() bool { return d.State("air_conditioning") == "" })
	silent := watch(t, theirs, commandFrames)
	if code, out := d.Say("set the fan to level 3").Ends(); strings.Contains(out, "Okay") {
		t.Errorf("without a car: exit %d, %s", code, out)
	}
	silent.Kill()
	t.Logf("without a car: %v", requests(t, silent.Rest()))

	// Its log, without the commands, brings it back.
	var status []string
	for _, line := range log {
		if f := strings.Fields(line); len(f) == 3 && !slices.Contains([]string{"420#", "421#", "422#", "430#", "440#"}, f[2][:min(4, len(f[2]))]) {
			status = append(status, line)
		}
	}
	file := filepath.Join(t.TempDir(), "drive.log")
	if err := os.WriteFile(file, []byte(strings.Join(status, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "canplayer", "-I", file, "-g", "2", theirs+"="+theirs)
	d.Await("canplayer's drive", func() bool { return d.State("air_conditioning") == "true" })
	peerstest.Count(t, peerstest.Load, "frames of a drive that candump saw in a guest", len(log))
	peerstest.Count(t, peerstest.Fault, "cars that fell silent in a guest", 1)
}

// The link goes down in the middle of a command and comes back: nothing that
// was meant for before is sent after.
func TestLinkDown(t *testing.T) {
	mine, theirs := body(t)
	power := vcan(t, "vcanpower")
	car(t, theirs, power, "-fast=false")
	d := daemon(t, t.TempDir(), mine, power)
	d.Start()
	d.Ready()
	all := watch(t, theirs, commandFrames)
	s := d.Say("close the window of the driver")
	line, _ := all.Await("the command", func(string) bool { return true })
	run(t, "ip", "link", "set", mine, "down")
	if code, out := s.Ends(); strings.Contains(out, "Okay") && mine != theirs {
		t.Errorf("the link went down, and yet: exit %d, %s", code, out)
	}
	d.Await("the daemon to see it", func() bool { text, _ := d.Get("/readyz"); return strings.Contains(text, "degraded") })
	said(t, d, "turn on the reading light of the driver", "")
	run(t, "ip", "link", "set", mine, "up")
	d.Ready()
	time.Sleep(time.Second) // what comes too late would come now
	all.Kill()
	if again := requests(t, append([]string{line}, all.Rest()...)); slices.Contains(again, "ReadingLightDriverRequest=On") {
		t.Errorf("sent after the link came back: %v", again)
	}
	said(t, d, "turn on the reading light of the driver", "reading light is on")
	peerstest.Count(t, peerstest.Fault, "links that went down in a command", 1)
}
