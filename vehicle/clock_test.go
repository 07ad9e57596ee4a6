// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func TestSystemClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := vehicle.NewSystemClock()
		fired := make(chan time.Duration, 1)
		c.AfterFunc(time.Second, func() { fired <- c.Mono() })
		if got := <-fired; got != time.Second {
			t.Fatalf("fired at %v", got)
		}
		timer := c.NewTimer(time.Hour)
		if !timer.Stop() || timer.Reset(time.Second) {
			t.Fatal("stop and reset report wrongly")
		}
		<-timer.C()
		<-c.After(time.Second)
		if c.Mono() != 3*time.Second || c.AfterFunc(time.Hour, func() {}).C() != nil {
			t.Fatalf("mono is %v", c.Mono())
		}
	})
}

func TestBusClockNeverRunsBackwards(t *testing.T) {
	c := vehicletest.NewClock(epoch)
	b := vehicle.BusClock(c)
	c.Advance(time.Second)
	c.JumpWall(-time.Hour)
	if got := b.Now(); !got.Equal(epoch.Add(time.Second)) {
		t.Fatalf("now is %v", got)
	}
	done := make(chan error)
	go func() { done <- b.Sleep(t.Context(), time.Second) }()
	c.BlockUntil(1)
	c.Advance(time.Second)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Sleep(ctx, time.Hour); err == nil {
		t.Fatal("slept through the end of its context")
	}
}
