// SPDX-License-Identifier: Apache-2.0

package canbus_test

import (
	"context"
	"fmt"

	"github.com/carguardd/carguardd/canbus"
)

func ExampleOpen() {
	ctx := context.Background()
	x := &canbus.Exchange{Sync: true}
	car, _ := canbus.Open(ctx, "mem:body", canbus.Options{Mem: x})
	unit, _ := canbus.Open(ctx, "mem:body", canbus.Options{Mem: x})
	defer car.Close()
	defer unit.Close()

	unit.Subscribe(func(ev canbus.Event) {
		if ev.Kind == canbus.LinkEvent {
			fmt.Println("link is", ev.Link)
			return
		}
		fmt.Println("unit got", ev.Frame)
	})
	f, _ := canbus.ParseFrame("123#0102")
	fmt.Println(car.Send(ctx, f))
	x.SetLink("body", canbus.Link{State: canbus.LinkBusOff, Cause: "short circuit"})
	fmt.Println(car.Send(ctx, f))
	fmt.Println(car.Send(ctx, canbus.Frame{ID: 0xFFF}))
	// Output:
	// unit got 123#0102
	// <nil>
	// link is bus-off: short circuit
	// send: link is bus-off: short circuit
	// invalid frame: standard identifier 0xFFF has more than 11 bits
	// link is ended: closed
}
