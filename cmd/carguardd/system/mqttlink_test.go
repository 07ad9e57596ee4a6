// SPDX-License-Identifier: Apache-2.0

package system_test

import (
	"testing"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

// onTopics are the signals whose status comes over MQTT.
func onTopics(t *testing.T, r *rig.Rig) (ids []vehicle.SignalID) {
	t.Helper()
	for _, s := range r.System.Profile.Signals {
		if s.Status != nil && s.Status.Topic != "" {
			ids = append(ids, s.ID)
		}
	}
	if len(ids) == 0 {
		t.Fatal("the profile has no status on a topic")
	}
	return ids
}

// What the broker told is stale once it is gone, and known again when it is back.
func TestBrokerGone(t *testing.T) {
	r := newRig(t, vehicle.NewSystemClock(), zerolog.Nop(), harnesstest.NewStudent())
	live := r.System.Live
	for _, id := range onTopics(t, r) {
		if !live.Get(id).Fresh {
			t.Fatalf("%s is stale at the start", r.System.Profile.Signals[id].Name)
		}
	}
	mqtttest.Stop(t, r.Broker)
	for _, id := range onTopics(t, r) {
		mqtttest.Await(t, r.System.Profile.Signals[id].Name+" to be stale", func() bool { return !live.Get(id).Fresh })
	}
	mqtttest.Start(t, r.Broker)
	if err := r.Reconnected(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := onTopics(t, r)[0]
	say(t, foreign(t, r), r.System.Profile.Signals[id].Status.Topic, `{"v":1,"q":"ok"}`, false)
	mqtttest.Await(t, "a status to be fresh again", func() bool { return live.Get(id).Fresh })
}

// foreign is a program of somebody else at the rig's broker.
func foreign(t *testing.T, r *rig.Rig) *mqtt.Client {
	t.Helper()
	cfg := mqtttest.Config(t, r.Broker, "foreign")
	var err error
	if cfg.Topics, err = mqtt.NewTopics("bench"); err != nil {
		t.Fatal(err)
	}
	c, _ := mqtttest.Run(t, cfg, zerolog.Nop())
	return c
}

// say publishes on a topic below that of the vehicle.
func say(t *testing.T, c *mqtt.Client, topic, payload string, retained bool) {
	t.Helper()
	if err := c.Publish(t.Context(), "carguard/bench/"+topic, []byte(payload), 1, retained); err != nil {
		t.Fatal(err)
	}
}
