// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// What was kept by somebody is known of signals that never get stale, and of an
// age that no limit allows.
func TestRecall(t *testing.T) {
	p := liveProfile()
	clock := vehicletest.NewClock(epoch)
	l := vehicle.NewLive(p, clock)
	speed, gear := p.Signal("speed"), p.Signal("gear")
	l.Recall(speed.ID, number(0), epoch, vehicle.Source{})
	l.Recall(gear.ID, vehicle.TextOf("P"), epoch, vehicle.Source{})
	if o := l.Get(speed.ID); o.Fresh || !o.Recalled || !o.Value.Equal(number(0)) || o.Count != 1 {
		t.Errorf("speed %+v", o)
	}
	if st := l.Snapshot(nil); st[speed.ID].Known() || !st[gear.ID].Equal(vehicle.TextOf("P")) {
		t.Errorf("snapshot %v", st)
	}
	parked := vehicle.Need{Signal: gear.ID, Is: []vehicle.Value{vehicle.TextOf("P")}}
	if gate, _ := parked.Unmet(gear, l.Get(gear.ID)); gate != "" {
		t.Errorf("a need of any age is unmet at %s", gate)
	}
	parked.Fresh = 24 * time.Hour
	if gate, why := parked.Unmet(gear, l.Get(gear.ID)); gate != vehicle.GateFreshness || why != "gear = P is stale: last observed at an unknown time" {
		t.Errorf("a need with an age: %s %s", gate, why)
	}
	clock.Advance(time.Second)
	l.Recall(gear.ID, vehicle.TextOf("D"), epoch, vehicle.Source{})
	if o := l.Get(gear.ID); !o.Moved || o.Still != 0 || o.Mono >= 0 {
		t.Errorf("when it is another than before: %+v", o)
	}
	l.Observe(gear.ID, vehicle.TextOf("D"), epoch, vehicle.Source{})
	if gate, why := parked.Unmet(gear, l.Get(gear.ID)); gate != vehicle.GateInterlock {
		t.Errorf("when it was heard: %s %s", gate, why)
	}
}

// A retained status is no answer to a command: it may be from before it.
func TestRetainedConfirmsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		retained bool
		want     vehicle.Status
	}{"retained": {true, vehicle.Unconfirmed}, "live": {false, vehicle.Done}} {
		t.Run(name, func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				link := vehicle.NewTopicLink(b.Live)
				err := link.Attach(func(topic string, h func(time.Time, []byte, bool)) error {
					b.Broker.Answer = func(m vehicletest.Message) { h(time.Now(), []byte(m.Payload), c.retained) }
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(rest)
				r := b.Executor.Do(t.Context(), call("set_ambient_light", `{"color":"RED"}`))
				if r.Status != c.want || c.retained && !strings.Contains(r.Reason, "no status came") {
					t.Errorf("%s: %s, want %s", r.Status, r.Reason, c.want)
				}
			})
		})
	}
}
