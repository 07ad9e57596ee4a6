// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// reconciled is what the daemon logs of a call that an earlier run left.
const reconciled = "a call was under way when the daemon ended"

// The daemon as a process between peers that are not ours: python-can is the
// car, mosquitto the broker. It starts before them and takes them up when they
// come.
func TestSystemRun(t *testing.T) {
	c := newForeignCar(t)
	p := newProcess(t, c)
	p.Start()
	if text, err := p.Get("/readyz"); err != nil || strings.Count(text, "degraded") < 3 {
		t.Errorf("without buses and broker: %v\n%s", err, text)
	}
	c.start()
	p.Ready()

	s := p.Say("turn on the reading light of the driver")
	c.body.Sees("the light's command", peerstest.Says("ReadingLightCommand", "ReadingLightDriverRequest", 1))
	c.body.Tell("every 0.2 ReadingLightStatus ReadingLightDriver=1")
	if code, out := s.Ends(); code != exitOK || !strings.Contains(out, "reading light is on") {
		t.Errorf("say: exit %d, %s", code, out)
	}

	ear := c.broker.Sub("carguard/car-1/reply")
	c.broker.Pub("-t", "carguard/car-1/utterance", "-m", "set the fan to level 2")
	c.body.Sees("the fan's command", peerstest.Says("ClimateCommand", "FanLevelTarget", 2))
	c.body.Tell("every 0.2 ClimateStatus FanLevel=2")
	ear.Await("the reply", func(line string) bool { return strings.Contains(line, "level 2") })

	// Nothing is called done that the car does not show.
	s = p.Say("turn on the reading light of the passenger")
	c.body.Sees("the passenger's command", peerstest.Says("ReadingLightCommand", "ReadingLightPassengerRequest", 1))
	if code, out := s.Ends(); code != exitOK || strings.Contains(out, "Okay") {
		t.Errorf("a light that never went on: exit %d, %s", code, out)
	}
	other := peerstest.Run(t, p.Bin, "run", "--config", p.Config)
	p.Await("the second daemon to give up, and to say why", func() bool {
		got := other.Complaints()
		return strings.Contains(got, "carguardd: ") && strings.Contains(got, "another")
	})
	peerstest.Count(t, peerstest.Load, "turns of the daemon between python-can and mosquitto", 3)
	peerstest.Count(t, peerstest.Fault, "buses and brokers that came late", 3)
}

// killed is one way to end the daemon in the middle of "turn on the air
// conditioning".
type killed struct {
	name  string
	until []string // status that python-can tells in this order, before
	wait  func(peerstest.Frame) bool
	then  string // what the car does while no daemon runs
	// The call that is under way for certain, and what may be reported as
	// under way, with whether the car shows its effect.
	must string
	may  map[string]bool
}

const (
	closeDriver    = `open_close_window{"percentage":0,"window":"DRIVER"}`
	closePassenger = `open_close_window{"percentage":0,"window":"PASSENGER"}`
	fanOn          = `set_fan_speed{"level":1}`
	acOn           = `set_air_conditioning{"on":true}`
)

// kill -9 while a turn runs: the journal is closed by what the car says, and
// no command leaves that nobody asked for again.
func TestSystemRunKilled(t *testing.T) {
	c := newForeignCar(t)
	c.start()
	p := newProcess(t, c)
	p.Start()
	p.Ready()
	driver := peerstest.Says("WindowCommand", "WindowDriverTarget", 0)
	tests := []killed{
		{"before the car does anything", nil, driver, "WindowStatus WindowDriverPosition=25 WindowPassengerPosition=100",
			closeDriver, map[string]bool{closeDriver: false, closePassenger: false, fanOn: false}},
		{"and the car goes on", nil, driver, "WindowStatus WindowDriverPosition=0 WindowPassengerPosition=0",
			closeDriver, map[string]bool{closeDriver: true, closePassenger: true, fanOn: false}},
		{"before the last call", []string{"ClimateStatus FanLevel=1"}, peerstest.Says("ClimateCommand", "AirConditioningRequest", 1), "ClimateStatus AirConditioning=1",
			acOn, map[string]bool{acOn: true}},
	}
	again := 0
	for _, tc := range tests {
		s := p.Say("turn on the air conditioning")
		for _, status := range tc.until {
			c.body.Tell("every 0.1 %s", status)
		}
		c.body.Sees(tc.name, tc.wait)
		p.Run.Kill()
		if code, out := s.Ends(); code != exitFailed || !strings.Contains(out, "carguardd: ") {
			t.Errorf("%s: say ended with %d: %s", tc.name, code, out)
		}
		c.body.Tell("every 0.1 %s", tc.then)
		c.mark()

		p.Start()
		p.Await(tc.name+": the journal", func() bool { _, ok := reports(p)[tc.must]; return ok })
		for call, got := range reports(p) {
			if want, ok := tc.may[call]; !ok || want != got {
				t.Errorf("%s: reported %s as reached %v; want that of %v", tc.name, call, got, tc.may)
			}
		}
		p.Ready()
		if code, out := p.Say("how fast are we going").Ends(); code != exitOK {
			t.Errorf("%s: the first question after the restart: %d %s", tc.name, code, out)
		}
		sent := c.mark()
		if again += len(sent); len(sent) > 0 {
			t.Errorf("%s: after the restart nobody asked for %v", tc.name, sent)
		}
	}
	// All is as it was asked for: nothing is left to be sent.
	if code, out := p.Say("turn on the air conditioning").Ends(); code != exitOK {
		t.Errorf("exit %d: %s", code, out)
	}
	if sent := c.mark(); len(sent) > 0 {
		t.Errorf("the air conditioning was on already, and %v was sent", sent)
		again += len(sent)
	}
	peerstest.Count(t, peerstest.Fault, "daemon killed with kill -9 in a turn", len(tests))
	peerstest.Count(t, peerstest.Losses, "commands sent again after a restart", again)
}

// reports are the calls that the daemon has logged as left by an earlier run,
// with whether the car shows their effect.
func reports(p *peerstest.Daemon) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(p.Run.Complaints()) {
		var l struct {
			Message, Call    string
			Reached, Unknown bool
		}
		if json.Unmarshal([]byte(line), &l) == nil && strings.HasPrefix(l.Message, reconciled) && !l.Unknown {
			out[l.Call] = l.Reached
		}
	}
	return out
}
