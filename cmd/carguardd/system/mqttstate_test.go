// SPDX-License-Identifier: Apache-2.0

package system_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

// states are what a foreign program sees on state topics.
type states struct {
	mu sync.Mutex
	by map[string]mqtt.State // by topic
}

// of returns what was said last of a signal.
func (s *states) of(t *testing.T, r *rig.Rig, signal string) (mqtt.State, bool) {
	t.Helper()
	topics, err := mqtt.NewTopics("bench")
	if err != nil {
		t.Fatal(err)
	}
	p, err := mqtt.ParsePath(r.System.Profile.Signal(signal).VSS)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	got, ok := s.by[topics.State(p)]
	return got, ok
}

func listen(t *testing.T, r *rig.Rig) *states {
	t.Helper()
	s := &states{by: map[string]mqtt.State{}}
	err := foreign(t, r).Subscribe("carguard/bench/state/#", func(_ context.Context, m mqtt.Message) {
		var st mqtt.State
		if err := json.Unmarshal(m.Payload, &st); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.by[m.Topic] = st
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A broker that comes back has forgotten everything, and what changed without it
// it never knew.
func TestStateAfterTheBrokerWasAway(t *testing.T) {
	r := newRig(t, vehicle.NewSystemClock(), zerolog.Nop(), harnesstest.NewStudent())
	before := listen(t, r)
	mqtttest.Await(t, "the state at the start", func() bool {
		st, ok := before.of(t, r, "vehicle_speed")
		return ok && string(st.V) == "0"
	})
	mqtttest.Stop(t, r.Broker)
	if err := r.Bench.SetState("vehicle_speed=50"); err != nil {
		t.Fatal(err)
	}
	speed := r.System.Profile.Signal("vehicle_speed").ID
	mqtttest.Await(t, "the daemon to see it", func() bool { return r.System.Live.Value(speed).Equal(vehicle.NumberOf(50)) })
	mqtttest.Start(t, r.Broker)
	if err := r.Reconnected(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := listen(t, r)
	mqtttest.Await(t, "the state of now", func() bool {
		st, ok := after.of(t, r, "vehicle_speed")
		_, still := after.of(t, r, "selected_gear")
		return ok && string(st.V) == "50" && still
	})
}

// That nothing is heard of a signal any more is told as well, once it is too old.
func TestStateGrowsStale(t *testing.T) {
	clock := &leapClock{SystemClock: vehicle.NewSystemClock()}
	r := newRig(t, clock, zerolog.Nop(), harnesstest.NewStudent())
	told := listen(t, r)
	mqtttest.Await(t, "the speed", func() bool { st, _ := told.of(t, r, "vehicle_speed"); return st.Q == mqtt.OK })
	bus := r.System.Profile.Signal("vehicle_speed").Status.Bus
	if err := r.Bench.InjectText("silent:" + bus); err != nil {
		t.Fatal(err)
	}
	clock.ahead.Add(int64(time.Hour))
	mqtttest.Await(t, "the speed to be stale", func() bool { st, _ := told.of(t, r, "vehicle_speed"); return st.Q == mqtt.Stale })
}
