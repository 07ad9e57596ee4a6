// SPDX-License-Identifier: Apache-2.0

package system_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

// driver speaks over MQTT to a daemon whose student drafts when it is let.
type driver struct {
	*mqtt.Client
	t       *testing.T
	rig     *rig.Rig
	clock   *leapClock
	student *slowStudent
	script  *harnesstest.Student
	replies chan mqtt.Reply
}

func newDriver(t *testing.T, drafts ...harness.Draft) *driver {
	t.Helper()
	d := &driver{t: t, clock: &leapClock{SystemClock: vehicle.NewSystemClock()}, script: harnesstest.NewStudent(drafts...), replies: make(chan mqtt.Reply, 16)}
	d.student = &slowStudent{d.script, make(chan struct{}, 16), make(chan struct{})}
	d.rig = newRig(t, d.clock, zerolog.Nop(), d.student)
	d.Client = foreign(t, d.rig)
	err := d.Subscribe("carguard/bench/reply", func(_ context.Context, m mqtt.Message) {
		var r mqtt.Reply
		if err := json.Unmarshal(m.Payload, &r); err != nil {
			t.Error(err)
		}
		d.replies <- r
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *driver) says(id, text string) {
	d.t.Helper()
	say(d.t, d.Client, "utterance", fmt.Sprintf(`{"id":%q,"text":%q}`, id, text), false)
}

// hears returns the replies up to that to the utterance with the id.
func (d *driver) hears(id string) map[string]string {
	d.t.Helper()
	got := map[string]string{}
	for got[id] == "" {
		r := mqtttest.Receive(d.t, "the reply to "+id, d.replies)
		got[r.ID] = r.Text
	}
	return got
}

// A stop is carried out while a turn runs, and what was said before it and waits
// is not done any more.
func TestStopDuringATurn(t *testing.T) {
	d := newDriver(t, harnesstest.Say("Hello."), harnesstest.Calls("open_close_window", `{"window":"DRIVER","percentage":100}`))
	before, _ := d.rig.System.Boundary.Epoch()
	d.says("1", "hello")
	<-d.student.begun
	d.says("2", "open the driver window")
	d.says("3", "stop")
	mqtttest.Await(t, "the stop, while the student is at work", func() bool {
		epoch, _ := d.rig.System.Boundary.Epoch()
		return epoch > before
	})
	close(d.student.finish)
	if got := d.hears("3"); got["2"] != "" || got["3"] != "Stopped." {
		t.Errorf("replies %q", got)
	}
	if n := len(d.script.Prompts()); n > 1 {
		t.Errorf("the student drafted %d times", n)
	}
	d.says("4", "hello")
	if got := d.hears("4"); len(got) != 1 {
		t.Errorf("after it, replies %q", got)
	}
}

// A stop that comes another way takes back what waits as well.
func TestStopElsewhere(t *testing.T) {
	d := newDriver(t, harnesstest.Say("Hello."), harnesstest.Say("Hello."))
	d.says("1", "hello")
	<-d.student.begun
	d.says("2", "open the driver window")
	for i := range 4 { // of which the last finds no room: so the first is in
		d.says(fmt.Sprint("more", i), "hello")
	}
	d.hears("more3")
	if err := d.rig.System.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	close(d.student.finish)
	got := d.hears("1")
	for i, again := 0, "Sorry, please say that again."; again == "Sorry, please say that again."; i++ {
		id := fmt.Sprint("last", i)
		d.says(id, "hello")
		for id, text := range d.hears(id) {
			got[id] = text
		}
		again = got[id]
	}
	if got["2"] != "" || got["more0"] != "" {
		t.Errorf("replies %q", got)
	}
	if n := len(d.script.Prompts()); n != 2 {
		t.Errorf("the student drafted %d times", n)
	}
}

// What there is no room for is to be said again; what has waited for too long is
// not done.
func TestUtterancesThatWait(t *testing.T) {
	d := newDriver(t, harnesstest.Say("Hello."))
	d.says("1", "hello")
	<-d.student.begun
	for i := 2; i <= 6; i++ {
		d.says(fmt.Sprint(i), "open the driver window")
	}
	if got := d.hears("6"); len(got) != 1 || got["6"] != "Sorry, please say that again." {
		t.Errorf("the one too many: %q", got)
	}
	d.clock.ahead.Add(int64(11 * time.Second))
	close(d.student.finish)
	for id, text := range d.hears("5") {
		if id != "1" && !strings.HasPrefix(text, "That took too long") {
			t.Errorf("%s was answered with %q", id, text)
		}
	}
}
