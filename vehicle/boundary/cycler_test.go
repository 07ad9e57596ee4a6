// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/canbustest"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
)

const cycleDBC = `VERSION ""
BU_: HU BCM
BO_ 1 Wiper: 2 HU
 SG_ WiperTarget : 0|8@1+ (1,0) [0|100] "" BCM
 SG_ Rest : 8|8@1+ (1,0) [0|255] "" BCM
BO_ 2 Light: 2 HU
 SG_ Left : 0|4@1+ (1,0) [0|9] "" BCM
 SG_ Right : 4|4@1+ (1,0) [0|9] "" BCM
BO_ 3 Horn: 1 HU
 SG_ HornRequest : 0|8@1+ (1,0) [0|9] "" BCM
BO_ 4 Seat: 2 HU
 SG_ Which M : 0|2@1+ (1,0) [0|3] "" BCM
 SG_ Driver m1 : 8|8@1+ (1,0) [0|9] "" BCM
 SG_ Passenger m2 : 8|8@1+ (1,0) [0|9] "" BCM
BO_ 9 Speed: 1 BCM
 SG_ KMH : 0|8@1+ (1,0) [0|255] "" HU
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 10000;
BA_DEF_ BO_ "GenMsgCycleTimeFast" INT 0 10000;
BA_DEF_ BO_ "GenMsgNrOfRepetition" INT 0 100;
BA_DEF_ BO_ "GenMsgSendType" ENUM "Cyclic","OnEvent","IfActive";
BA_DEF_ SG_ "GenSigStartValue" INT 0 255;
BA_DEF_DEF_ "GenMsgSendType" "OnEvent";
BA_ "GenMsgCycleTime" BO_ 1 50;
BA_ "GenMsgCycleTimeFast" BO_ 1 20;
BA_ "GenMsgNrOfRepetition" BO_ 1 2;
BA_ "GenMsgSendType" BO_ 1 2;
BA_ "GenSigStartValue" SG_ 1 Rest 170;
BA_ "GenMsgCycleTime" BO_ 2 100;
BA_ "GenMsgSendType" BO_ 2 0;
BA_ "GenMsgCycleTime" BO_ 4 50;
BA_ "GenMsgSendType" BO_ 4 2;
`

// cycler is a boundary before messages with cycles, and what leaves of it.
type cycler struct {
	*boundary.Boundary
	bus     *canbustest.Faulty
	live    *vehicle.Live
	other   canbus.Bus // another node
	profile *vehicle.Profile
	refused []*vehicle.Refusal
	start   time.Time

	mu  sync.Mutex
	got []string // milliseconds and frame
}

// take returns what has left since it was called last.
func (c *cycler) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	got := c.got
	c.got = nil
	return got
}

// onCycle changes the profile, if asked to, and runs f with a boundary that has
// just begun.
func onCycle(t *testing.T, change func(*vehicle.Profile, *boundary.Config), f func(t *testing.T, c *cycler)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db, err := dbc.Parse("cycle.dbc", []byte(cycleDBC), dbc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		signal := func(name, message, sig, idle string, most float64) *vehicle.Signal {
			return &vehicle.Signal{Name: name, Type: vehicle.TypeInteger, Max: most, Settle: 2 * time.Second,
				Command: &vehicle.Binding{Bus: "body", Message: message, Signal: sig, Idle: idle}}
		}
		speed := &vehicle.Signal{Name: "vehicle_speed", Type: vehicle.TypeInteger, Max: 255, Status: &vehicle.Binding{Bus: "body", Message: "Speed", Signal: "KMH"}}
		p := vehicle.NewProfile(vehicle.Profile{Name: "cycles", Buses: []vehicle.Bus{{Name: "body", DB: db}}, Signals: []*vehicle.Signal{
			signal("wiper", "Wiper", "WiperTarget", "255", 100), signal("left", "Light", "Left", "15", 9), signal("right", "Light", "Right", "15", 9),
			signal("horn", "Horn", "HornRequest", "15", 9), signal("driver", "Seat", "Driver", "15", 9), signal("passenger", "Seat", "Passenger", "15", 9), speed}})
		clock := vehicle.NewSystemClock()
		x := &canbus.Exchange{Clock: vehicle.BusClock(clock), Sync: true}
		c := &cycler{live: vehicle.NewLive(p, clock), other: x.Join("body"), profile: p, start: time.Now()}
		c.bus = canbustest.NewFaulty(x.Join("body"), vehicle.BusClock(clock))
		x.Join("body").Subscribe(func(e canbus.Event) {
			if e.Kind == canbus.FrameEvent && e.Frame.ID < 9 {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.got = append(c.got, fmt.Sprintf("%d:%v", time.Since(c.start).Milliseconds(), e.Frame))
			}
		})
		cfg := boundary.Config{Live: c.live, Clock: clock, Buses: map[string]boundary.Bus{"body": c.bus}, Quiet: true,
			Refused: func(_ boundary.Command, r *boundary.Refusal) { c.refused = append(c.refused, r) }}
		if change != nil {
			change(p, &cfg)
		}
		if c.Boundary, err = boundary.New(cfg); err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		f(t, c)
	})
}

func (c *cycler) command(signal string, v float64) vehicle.Command {
	epoch, _ := c.Epoch()
	return vehicle.Command{Signal: c.profile.Signal(signal).ID, Value: number(v), Call: signal, Epoch: epoch}
}

func (c *cycler) write(t *testing.T, signal string, v float64) vehicle.Sent {
	t.Helper()
	sent, err := c.Write(t.Context(), c.command(signal, v))
	if err != nil {
		t.Fatal(err)
	}
	return sent
}

// want compares what has left until ms milliseconds after the beginning.
func (c *cycler) want(t *testing.T, ms int, frames string) {
	t.Helper()
	time.Sleep(time.Until(c.start.Add(time.Duration(ms)*time.Millisecond + 500*time.Microsecond)))
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if got := strings.Join(c.got, " "); got != frames {
		t.Errorf("until %d ms\ngot  %s\nwant %s", ms, got, frames)
	}
}

func loud(_ *vehicle.Profile, cfg *boundary.Config) { cfg.Quiet = false }
