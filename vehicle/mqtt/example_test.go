// SPDX-License-Identifier: Apache-2.0

package mqtt_test

import (
	"context"
	"fmt"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
)

// A daemon with a broker of its own takes what the driver says and answers.
func ExampleClient() {
	b, err := broker.New(broker.InProcess, zerolog.Nop())
	if err != nil {
		panic(err)
	}
	if err := b.Start(); err != nil {
		panic(err)
	}
	defer b.Stop()
	topics, err := mqtt.NewTopics("demo")
	if err != nil {
		panic(err)
	}
	up := make(chan struct{})
	c, err := mqtt.New(mqtt.Config{
		URL: b.URL(), Dial: b.Dial, ClientID: "carguardd", Topics: topics, Announce: true,
		OnChange: func(l mqtt.Link) {
			if l.Phase == mqtt.Up {
				close(up)
			}
		},
	}, zerolog.Nop())
	if err != nil {
		panic(err)
	}
	said := make(chan mqtt.Utterance)
	err = c.Subscribe(topics.Utterance(), func(_ context.Context, m mqtt.Message) {
		if u, err := mqtt.ParseUtterance(m.Payload); err == nil {
			said <- u
		}
	})
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- c.Run(ctx) }()
	<-up
	if err := c.Publish(ctx, topics.Utterance(), []byte("close the windows"), 1, false); err != nil {
		panic(err)
	}
	fmt.Println((<-said).Text)
	cancel()
	fmt.Println(<-done)
	// Output:
	// close the windows
	// <nil>
}
