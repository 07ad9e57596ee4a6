// SPDX-License-Identifier: Apache-2.0

package mqtt_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

// BenchmarkPublish publishes a command and waits for the broker's word.
func BenchmarkPublish(b *testing.B) {
	broker := mqtttest.Broker(b)
	c, _ := mqtttest.Run(b, mqtttest.Config(b, broker, "one"), zerolog.Nop())
	payload := []byte("RED")
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Publish(b.Context(), set, payload, 1, false); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall calls a tool and waits for its result.
func BenchmarkCall(b *testing.B) {
	broker := mqtttest.Broker(b)
	caller, err := mqtt.NewCaller(mqtttest.Client(b, broker, "car"))
	if err != nil {
		b.Fatal(err)
	}
	server := mqtt.NewServer(mqtttest.Client(b, broker, "services"))
	err = server.Handle("echo", func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil })
	if err != nil {
		b.Fatal(err)
	}
	args := json.RawMessage(`{"location_or_poi_id":"loc_1","month":5}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := caller.Call(b.Context(), "echo", args); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseTopic takes a topic apart.
func BenchmarkParseTopic(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mqtt.ParseTopic(color); err != nil {
			b.Fatal(err)
		}
	}
}
