// SPDX-License-Identifier: Apache-2.0

package canbustest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
)

// record subscribes and returns what was seen, as text.
func record(b canbus.Bus) *[]string {
	var seen []string
	b.Subscribe(func(ev canbus.Event) {
		if ev.Kind == canbus.LinkEvent {
			seen = append(seen, ev.Link.State.String())
		} else {
			seen = append(seen, ev.Frame.String())
		}
	})
	return &seen
}

func TestBus(t *testing.T) {
	c := NewClock(time.Unix(7, 0))
	b := New(c)
	seen := record(b)
	ctx := context.Background()
	b.OnSend = func(f canbus.Frame) { b.Inject(canbus.Frame{ID: f.ID + 1}) }
	boom := errors.New("boom")
	b.FailSends(boom)
	if err := b.Send(ctx, canbus.Frame{ID: 1}); !errors.Is(err, boom) {
		t.Error(err)
	}
	if err := b.Send(ctx, canbus.Frame{ID: 1}); err != nil {
		t.Error(err)
	}
	if err := b.Send(ctx, canbus.Frame{ID: 0x800}); !errors.Is(err, canbus.ErrInvalidFrame) {
		t.Error(err)
	}
	b.SetLink(canbus.LinkBusOff, "test")
	if err := b.Send(ctx, canbus.Frame{ID: 1}); !errors.Is(err, canbus.ErrLink) {
		t.Error(err)
	}
	b.Close()
	b.Close()
	if err := b.Send(ctx, canbus.Frame{ID: 1}); !errors.Is(err, canbus.ErrClosed) {
		t.Error(err)
	}
	if got := fmt.Sprint(*seen, b.Sent()); got != "[002# bus-off ended] [001#]" {
		t.Error(got)
	}
	if s := b.Stats(); s.Sent != 1 || s.SendErrors != 4 || s.Received != 1 {
		t.Errorf("%+v", s)
	}
}

func TestFaulty(t *testing.T) {
	ctx := context.Background()
	x := &canbus.Exchange{Sync: true}
	other := x.Join("b")
	f := NewFaulty(x.Join("b"), nil)
	seen, otherSeen := record(f), record(other)
	send := func(b canbus.Bus, id uint32) error { return b.Send(ctx, canbus.Frame{ID: id}) }
	odd := func(f canbus.Frame) bool { return f.ID%2 == 1 }

	f.LoseReceived(odd)
	f.LoseSent(odd)
	for id := range uint32(4) {
		if err := errors.Join(send(other, id), send(f, 0x10+id)); err != nil {
			t.Error(err)
		}
	}
	f.LoseReceived(nil)
	f.LoseSent(nil)
	f.FailSent(odd)
	if err := send(f, 0x15); !errors.Is(err, ErrInjected) {
		t.Error(err)
	}
	f.FailSent(nil)
	f.ForceLink(canbus.LinkDown, "cable")
	if err := send(f, 0x16); !errors.Is(err, canbus.ErrLink) || f.Link().Cause != "cable" {
		t.Error(err)
	}
	if err := send(other, 5); err != nil { // lost: the cable is cut
		t.Error(err)
	}
	f.Storm(1000)
	f.ReleaseLink()
	if err := send(f, 0x17); err != nil {
		t.Error(err)
	}
	f.Close()
	if got := fmt.Sprint(*seen); got != "[000# 002# down passive up ended]" {
		t.Error(got)
	}
	if got := fmt.Sprint(*otherSeen); got != "[010# 012# 017#]" {
		t.Error(got)
	}
	if s := f.Stats(); s.Dropped != 3 || s.ErrorFrames != 1000 {
		t.Errorf("%+v", s)
	}
}

func TestSlowSend(t *testing.T) {
	c := NewClock(time.Unix(0, 0))
	f := NewFaulty(New(c), c)
	f.SlowSend(time.Second)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	result := make(chan error, 1)
	go func() { result <- f.Send(ctx, canbus.Frame{}) }()
	if err := c.AwaitSleepers(ctx, 1); err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Second)
	if err := <-result; err != nil {
		t.Error(err)
	}
	stop, end := context.WithCancel(ctx)
	go func() { result <- f.Send(stop, canbus.Frame{}) }()
	if err := c.AwaitSleepers(ctx, 1); err != nil {
		t.Fatal(err)
	}
	end()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
