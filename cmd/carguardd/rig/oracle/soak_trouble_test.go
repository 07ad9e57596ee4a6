// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// troubles are what goes wrong in a soak, beside the drafts and the hands.
var troubles = []string{"bus gap", "bus gap in a turn", "silent bus", "broker restart", "broker restart in a turn", "actuator that does not obey",
	"slow disk", "hanging disk", "full disk", "clock jump"}

// trouble makes things go wrong, and right again after the turn.
type trouble struct {
	t      *testing.T
	rig    *rig.Rig
	clock  *vehicletest.Clock
	disk   *soakDisk
	topics *topicTap
	counts map[string]int

	now        []string // in this turn
	brokerLeft bool     // in this turn
}

func (x *trouble) happens(what string) {
	x.now = append(x.now, what)
	x.counts[what]++
}

// busLeft says whether a bus was gone in this turn.
func (x *trouble) busLeft() bool {
	return slices.ContainsFunc(x.now, func(what string) bool { return strings.Contains(what, "bus") })
}

// total is how often something happened.
func (x *trouble) total() (n int) {
	for _, c := range x.counts {
		n += c
	}
	return n
}

func (x *trouble) inject(fault string) {
	if err := x.rig.Bench.InjectText(fault); err != nil {
		x.t.Fatal(err)
	}
}

// begin is what is wrong from before the turn on.
func (x *trouble) begin(r *rand.Rand) {
	x.now, x.brokerLeft = nil, false
	buses := []string{"body", "powertrain"}
	switch n := r.IntN(100); {
	case n < 4:
		x.happens("bus gap")
		x.inject(pick(r, []string{"bus-off:", "bus-down:"}) + pick(r, buses))
	case n < 6:
		x.happens("silent bus")
		x.inject("silent:" + pick(r, buses))
	case n < 8:
		x.happens("broker restart")
		x.restartBroker()
	case n < 12:
		x.happens("actuator that does not obey")
		x.inject(pick(r, []string{"blocked:", "refused:", "stale:"}) + pick(r, []string{"window_driver_position", "sunroof_position", "sunshade_position"}))
	}
	switch n := r.IntN(1000); {
	case n < 30:
		x.happens("slow disk")
		x.disk.delay.Store(int64(5 * time.Millisecond))
	case n < 33:
		x.happens("hanging disk")
		x.disk.hang.Store(int64(1200 * time.Millisecond))
	case n < 50:
		x.happens("full disk")
		x.disk.full.Store(true)
	}
	if r.IntN(20) == 0 {
		x.happens("clock jump")
		x.clock.JumpWall(time.Duration(r.IntN(400*24)-200*24) * time.Hour)
	}
}

// meanwhile is what goes wrong while a turn runs, before a draft.
func (x *trouble) meanwhile(r *rand.Rand) {
	switch n := r.IntN(200); {
	case n < 3:
		x.happens("bus gap in a turn")
		x.inject(pick(r, []string{"bus-off:", "bus-down:"}) + pick(r, []string{"body", "powertrain"}))
	case n < 5:
		x.happens("broker restart in a turn")
		x.restartBroker()
	case n < 11:
		hands{x.t, x.rig, x.clock, r}.turn()
	}
}

// restartBroker ends the broker and all it remembers, and starts it again.
func (x *trouble) restartBroker() {
	x.brokerLeft = true
	if err := x.rig.RestartBroker(context.Background(), x.topics.client); err != nil {
		x.t.Fatal(err)
	}
}

// end mends everything and lets the assistant see its car again.
func (x *trouble) end(ctx context.Context) {
	x.disk.full.Store(false)
	x.disk.delay.Store(0)
	if len(x.now) == 0 {
		return
	}
	x.rig.Bench.Repair("")
	for range 4 {
		x.clock.Leap(500 * time.Millisecond) // the cyclic frames
	}
	if x.brokerLeft {
		x.reconnected(ctx)
	}
}

// reconnected waits until everybody has the broker again.
func (x *trouble) reconnected(ctx context.Context) {
	wait, end := context.WithTimeout(ctx, patience)
	defer end()
	if err := x.rig.Reconnected(wait); err != nil {
		x.t.Fatalf("after %v: %v", x.now, err)
	}
	x.topics.connected(wait, x.t)
}
