// SPDX-License-Identifier: Apache-2.0

package mqtt_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

// What others expect of the bindings.
var (
	_ boundary.Publisher = mqtt.Bindings{}
	_ vehicle.Subscriber = mqtt.Bindings{}.Subscribe
)

func TestBindings(t *testing.T) {
	b := mqtttest.Broker(t)
	car, lamp := mqtttest.Client(t, b, "car").Bindings(), mqtttest.Client(t, b, "lamp").Bindings()
	seen := make(chan string, 1)
	hear := func(_ time.Time, payload []byte, retained bool) { seen <- fmt.Sprint(string(payload), " ", retained) }
	if err := car.Subscribe("light/ambient", hear); err != nil {
		t.Fatal(err)
	}
	err := lamp.SubscribeCommand("light/ambient/set", func(_ time.Time, payload []byte) {
		if err := lamp.PublishStatus(context.Background(), "light/ambient", payload); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if !car.Connected() {
		t.Error("not connected")
	}
	if err := car.Publish(t.Context(), "light/ambient/set", []byte("RED")); err != nil {
		t.Fatal(err)
	}
	if got := mqtttest.Receive(t, "the status", seen); got != "RED false" {
		t.Errorf("got %s", got)
	}
	if !b.Retained("carguard/test/light/ambient") || b.Retained("carguard/test/light/ambient/set") {
		t.Error("a status must be retained and a command must not")
	}
	late := mqtttest.Client(t, b, "late").Bindings()
	if err := late.Subscribe("light/ambient", hear); err != nil {
		t.Fatal(err)
	}
	if got := mqtttest.Receive(t, "the status for one who comes later", seen); got != "RED true" {
		t.Errorf("got %s", got)
	}
	for name, err := range map[string]error{
		"publish":   car.Publish(t.Context(), "light/#", nil),
		"subscribe": car.Subscribe("light/+", func(time.Time, []byte, bool) {}),
		"command":   car.SubscribeCommand("", func(time.Time, []byte) {}),
		"status":    car.PublishStatus(t.Context(), "a//b", nil),
	} {
		if !errors.Is(err, mqtt.ErrTopic) {
			t.Errorf("%s of an impossible topic gave %v", name, err)
		}
	}
}
