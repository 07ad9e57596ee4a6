// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package rig_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cross/peerstest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

const topics = "carguard/bench/"

// ear is mosquitto_sub.
type ear struct {
	*peerstest.Script
	t *testing.T
}

// hears waits for a message on a topic of the bench and returns its payload,
// and the topics of those before it.
func (e ear) hears(topic string, match func(payload string) bool) (string, []string) {
	e.t.Helper()
	line, before := e.Await("a message on "+topic, func(line string) bool {
		p, ok := strings.CutPrefix(line, topics+topic+" ")
		return ok && match(p)
	})
	return strings.TrimPrefix(line, topics+topic+" "), before
}

// ask speaks with mosquitto_pub and returns what mosquitto_sub hears.
func ask(t *testing.T, m *peerstest.Mosquitto, e ear, id, text string) mqtt.Reply {
	t.Helper()
	m.Pub("-t", topics+"utterance", "-m", fmt.Sprintf(`{"text":%q,"id":%q}`, text, id))
	payload, _ := e.hears("reply", func(p string) bool { return strings.Contains(p, `"id":"`+id+`"`) })
	var r mqtt.Reply
	if err := json.Unmarshal([]byte(payload), &r); err != nil {
		t.Fatalf("%v: %s", err, payload)
	}
	return r
}

// drive is a bench with a mosquitto, and its command frames.
type drive struct {
	*rig.Rig
	m        *peerstest.Mosquitto
	commands chan canbus.Frame
}

// windowCommand is the frame that moves windows.
const windowCommand = 0x420

const retained = "open all windows"

func newDrive(t *testing.T) *drive {
	t.Helper()
	d := &drive{m: peerstest.NewMosquitto(t, append(peerstest.Anonymous(), peerstest.Persistent()...)...), commands: make(chan canbus.Frame, 1000)}
	d.m.Start()
	// An order that somebody left on the broker is older than the daemon.
	d.m.Pub("-t", topics+"utterance", "-m", retained, "-r")
	d.m.Stop()
	d.m.Start()
	d.Rig = bench(t, func(o *rig.Options) {
		o.BrokerURL = d.m.URL()
		o.Tap = func(_ string, e canbus.Event) {
			if e.Kind == canbus.FrameEvent && e.Frame.ID >= windowCommand && e.Frame.ID < 0x500 {
				d.commands <- e.Frame
			}
		}
	})
	return d
}

// sent empties the list of command frames, and returns how many there were and
// how many of them moved windows.
func (d *drive) sent() (all, windows int) {
	for len(d.commands) > 0 {
		if f := <-d.commands; f.ID == windowCommand {
			windows++
		}
		all++
	}
	return all, windows
}

func (d *drive) listen(t *testing.T) ear { return ear{d.m.Sub(topics + "#"), t} }

// A driver who speaks through mosquitto_pub hears replies, findings, turns and
// the state with mosquitto_sub.
func TestSystemMosquittoSpeaks(t *testing.T) {
	d := newDrive(t)
	if code, text := ready(t, d.Rig); code != http.StatusOK || !strings.Contains(text, "ok mqtt") {
		t.Fatalf("%d %s", code, text)
	}
	if n, _ := d.sent(); n != 0 || observed(t, d.Rig)["window_driver_position"] != 25.0 {
		t.Fatalf("an utterance that was retained was carried out: %d commands", n)
	}
	e := d.listen(t)
	reply := ask(t, d.m, e, "u1", "turn on the air conditioning")
	if n, _ := d.sent(); n != 4 || !strings.Contains(reply.Text, "air conditioning is on") || reply.Turn == "" {
		t.Errorf("%d commands, reply %+v", n, reply)
	}

	e = d.listen(t)
	d.m.Pub("-t", topics+"utterance", "-m", `{"text":"open the passenger's window halfway","id":"u2"}`)
	d.m.Pub("-t", topics+"utterance", "-m", `{"text":"defrost the windshield","id":"u3"}`)
	seen := map[string]string{}
	e.Await("findings, turn, reply and state", func(line string) bool {
		topic, payload, _ := strings.Cut(strings.TrimPrefix(line, topics), " ")
		seen[topic] = payload
		return strings.Contains(seen["reply"], `"id":"u3"`) && strings.Contains(seen["turn"], "defrost the windshield") && seen["findings"] != "" &&
			strings.Contains(seen["state/Vehicle/Cabin/HVAC/IsFrontDefrosterActive"], `"v":true`)
	})
	var turn harness.Turn
	if err := json.Unmarshal([]byte(seen["turn"]), &turn); err != nil || len(turn.Steps) == 0 || turn.Outcome != harness.Spoke {
		t.Errorf("turn document: %v: %s", err, seen["turn"])
	}
	var f []harness.Finding
	if err := json.Unmarshal([]byte(seen["findings"]), &f); err != nil || len(f) == 0 || f[0].Gate == "" || len(f[0].Evidence) == 0 {
		t.Errorf("findings: %v: %s", err, seen["findings"])
	}

	// What cannot be an utterance is refused, and nothing comes of it.
	bad := []string{`{"text":""}`, `{"text":1}`, `{"txt":"open all windows"}`, `{"text":"open all windows"`, "\x00\x01", strings.Repeat("open all windows ", 1000), "{}", "[]"}
	d.sent()
	for _, b := range bad {
		if strings.Contains(b, "\x00") {
			d.m.Pub("-t", topics+"utterance", "-f", "/bin/true")
			continue
		}
		d.m.Pub("-t", topics+"utterance", "-m", b)
	}
	if r := ask(t, d.m, e, "u4", "turn on the fog lights"); !strings.Contains(r.Text, "fog lights") {
		t.Errorf("after bad utterances: %+v", r)
	}
	if _, windows := d.sent(); windows > 0 {
		t.Errorf("bad utterances moved windows %d times", windows)
	}
	peerstest.Count(t, peerstest.Load, "turns over mosquitto", 4)
	peerstest.Count(t, peerstest.Bad, "utterances that cannot be any", len(bad))
}

// A broker that is killed and comes back loses what was under way and nothing
// else, and nothing old is done.
func TestSystemMosquittoKilledInADrive(t *testing.T) {
	d := newDrive(t)
	ambient := func() string { return fmt.Sprint(observed(t, d.Rig)["ambient_light"]) }
	if say(t, d.Rig, "set the ambient light to red"); ambient() != "RED" {
		t.Fatalf("ambient light is %s", ambient())
	}
	const rounds = 3
	old := 0
	for round := 1; round <= rounds; round++ {
		// Killed while a turn that needs it is under way, or just before.
		under := make(chan *harness.Turn, 1)
		go func() {
			turn, err := d.System.Turn(t.Context(), "drive", "turn on the reading light of the driver and set the ambient light to green")
			if err != nil {
				t.Error(err)
			}
			under <- turn
		}()
		d.m.Kill()
		turn := <-under
		if turn == nil || turn.Reply == "" || observed(t, d.Rig)["reading_light_driver"] != true {
			t.Fatalf("round %d: no reply, or CAN went down with the broker: %+v", round, turn)
		}
		t.Logf("round %d, killed in the turn: %s", round, turn.Reply)
		await(t, "the daemon to say degraded", func() bool {
			code, text := ready(t, d.Rig)
			return code == http.StatusOK && strings.Contains(text, "degraded mqtt")
		})
		d.sent()
		was := ambient()
		turn = say(t, d.Rig, "set the ambient light to blue")
		if ambient() != was || len(sent(turn)) != 0 || strings.Contains(turn.Reply, "Okay") {
			t.Errorf("round %d, without a broker: sent %v: %s", round, sent(turn), turn.Reply)
		}
		t.Logf("round %d, without a broker: %s", round, turn.Reply)
		if turn := say(t, d.Rig, "turn off the reading light of the driver"); observed(t, d.Rig)["reading_light_driver"] != false {
			t.Errorf("round %d: what is on CAN does not work without a broker: %s", round, turn.Reply)
		}

		d.m.Start()
		await(t, "the daemon to be well again", func() bool { _, text := ready(t, d.Rig); return strings.Contains(text, "ok mqtt") })
		all, windows := d.sent()
		if old += windows; all != 1 { // the reading light
			t.Errorf("round %d: %d commands around the restart", round, all)
		}
		e := d.listen(t)
		e.hears("utterance", func(p string) bool { return p == retained })
		if got := ask(t, d.m, e, fmt.Sprint("r", round), fmt.Sprintf("set the fan to level %d", round)); observed(t, d.Rig)["fan_speed"] != float64(round) {
			t.Errorf("round %d: the first utterance after the restart: %+v", round, got)
		}
		await(t, "the actuator to be back", func() bool {
			say(t, d.Rig, "set the ambient light to red")
			return ambient() == "RED"
		})
		if _, windows := d.sent(); windows > 0 {
			old += windows
		}
	}
	peerstest.Count(t, peerstest.Fault, "broker killed in a drive and restarted", rounds)
	peerstest.Count(t, peerstest.Bad, "retained utterances that a broker offered again", rounds+1)
	peerstest.Count(t, peerstest.Losses, "old orders carried out after a restart", old)
}
