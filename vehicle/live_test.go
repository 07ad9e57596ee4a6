// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

var epoch = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func liveProfile() *vehicle.Profile {
	return vehicle.NewProfile(vehicle.Profile{Signals: []*vehicle.Signal{
		{Name: "speed", Type: vehicle.TypeNumber, Unit: "km/h", Max: 300, Fresh: time.Second},
		{Name: "gear", Type: vehicle.TypeEnum, Allowed: []string{"P", "R", "N", "D"}},
		{Name: "ac", Type: vehicle.TypeBool},
	}})
}

func TestLiveKeepsInvalidAsUnknown(t *testing.T) {
	for _, c := range []struct {
		name, signal string
		give, want   vehicle.Value
	}{
		{"in range", "speed", vehicle.NumberOf(50), vehicle.NumberOf(50)},
		{"above range is not clamped", "speed", vehicle.NumberOf(511), vehicle.Value{}},
		{"below range is not clamped", "speed", vehicle.NumberOf(-1), vehicle.Value{}},
		{"wrong kind", "speed", vehicle.TextOf("50"), vehicle.Value{}},
		{"no member", "gear", vehicle.TextOf("SNA"), vehicle.Value{}},
		{"the word unknown", "gear", vehicle.TextOf("unknown"), vehicle.Value{}},
		{"a number is no boolean", "ac", vehicle.NumberOf(1), vehicle.Value{}},
		{"unknown", "ac", vehicle.Value{}, vehicle.Value{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := liveProfile()
			l := vehicle.NewLive(p, vehicletest.NewClock(epoch))
			id := p.Signal(c.signal).ID
			l.Observe(id, c.give, epoch, vehicle.Source{Bus: "body"})
			o := l.Get(id)
			if !o.Value.Equal(c.want) || o.Count != 1 || !o.Fresh {
				t.Fatalf("observed %+v, want %v", o, c.want)
			}
			if bad := l.Stats().Invalid == 1; bad != (c.give.Kind() != vehicle.Unknown && !c.want.Known()) {
				t.Fatalf("stats %+v", l.Stats())
			}
		})
	}
}

func TestLiveFreshnessIsMonotonic(t *testing.T) {
	p := liveProfile()
	clock := vehicletest.NewClock(epoch)
	l := vehicle.NewLive(p, clock)
	speed, gear := p.Signal("speed").ID, p.Signal("gear").ID
	if o := l.Get(speed); o.Fresh || o.Count != 0 {
		t.Fatalf("fresh before it was seen: %+v", o)
	}
	l.Observe(speed, vehicle.NumberOf(3), clock.Now(), vehicle.Source{})
	l.Observe(gear, vehicle.TextOf("P"), clock.Now(), vehicle.Source{})

	clock.JumpWall(time.Hour)
	if v := l.Value(speed); !v.Known() {
		t.Fatal("a jump of the wall clock made the speed stale")
	}
	clock.Advance(time.Second)
	if v := l.Value(speed); !v.Known() {
		t.Fatal("stale at exactly its limit")
	}
	clock.Advance(time.Nanosecond)
	clock.JumpWall(-2 * time.Hour)
	if o := l.Get(speed); o.Fresh || !o.Value.Known() || o.Known().Known() {
		t.Fatalf("a jump of the wall clock made the speed fresh: %+v", o)
	}
	clock.Advance(time.Hour)
	st := l.Snapshot(nil)
	if st[speed].Known() || !st[gear].Known() {
		t.Fatalf("snapshot %v: a stale value is unknown, one that never goes stale is not", st)
	}
	l.SetFresh(gear, time.Minute)
	l.SetFresh(speed, time.Hour*24)
	if l.Value(gear).Known() {
		t.Fatal("SetFresh did not apply")
	}
	if l.Value(speed).Known() {
		t.Fatal("SetFresh overruled the profile")
	}
}

func TestLiveLose(t *testing.T) {
	p := liveProfile()
	l := vehicle.NewLive(p, vehicletest.NewClock(epoch))
	ac := p.Signal("ac").ID
	l.Lose(ac)
	l.Observe(ac, vehicle.BoolOf(true), epoch, vehicle.Source{})
	w := l.Watch(ac)
	defer w.Close()
	w.Take(nil)
	l.Lose(ac)
	l.Lose(ac)
	if l.Value(ac).Known() || l.Stats().Lost != 1 {
		t.Fatalf("lost signal is %v, stats %+v", l.Value(ac), l.Stats())
	}
	if news := w.Take(nil); len(news) != 1 || news[0].Fresh {
		t.Fatalf("watch saw %+v", news)
	}
	l.Observe(ac, vehicle.BoolOf(true), epoch, vehicle.Source{})
	if !l.Value(ac).Known() {
		t.Fatal("still lost after it was seen again")
	}
	if news := w.Take(nil); len(news) != 1 || !news[0].Fresh {
		t.Fatalf("watch saw %+v", news)
	}
}

func TestLiveStill(t *testing.T) {
	p := liveProfile()
	clock := vehicletest.NewClock(epoch)
	l := vehicle.NewLive(p, clock)
	speed := p.Signal("speed").ID
	for _, v := range []float64{1, 1, 2, 2} {
		l.Observe(speed, vehicle.NumberOf(v), epoch, vehicle.Source{})
		clock.Advance(100 * time.Millisecond)
	}
	l.Observe(speed, vehicle.NumberOf(2), epoch, vehicle.Source{})
	if o := l.Get(speed); o.Still != 200*time.Millisecond || o.Age != 0 || o.Count != 5 {
		t.Fatalf("observed %+v", o)
	}
}

func TestWatchIsBoundedAndLatestWins(t *testing.T) {
	p := liveProfile()
	l := vehicle.NewLive(p, vehicletest.NewClock(epoch))
	speed, ac := p.Signal("speed").ID, p.Signal("ac").ID
	l.Observe(ac, vehicle.BoolOf(true), epoch, vehicle.Source{})
	all, only, every := l.Watch(), l.Watch(speed), l.WatchEvery(ac)
	defer only.Close()
	if news := all.Take(nil); len(news) != 1 || news[0].Signal != ac {
		t.Fatalf("first take is %+v, want what was known", news)
	}
	every.Take(nil)
	for i := range 1000 {
		l.Observe(speed, vehicle.NumberOf(float64(i%200)), epoch, vehicle.Source{})
		l.Observe(ac, vehicle.BoolOf(true), epoch, vehicle.Source{})
	}
	<-all.C()
	if news := all.Take(nil); len(news) != 1 || !news[0].Value.Equal(vehicle.NumberOf(199)) {
		t.Fatalf("took %+v", news)
	}
	if news := only.Take(nil); len(news) != 1 || news[0].Signal != speed {
		t.Fatalf("took %+v", news)
	}
	<-every.C()
	if news := every.Take(nil); len(news) != 1 || news[0].Count != 1001 {
		t.Fatalf("took %+v", news)
	}
	if news := all.Take(nil); len(news) != 0 {
		t.Fatalf("took %+v twice", news)
	}
	all.Close()
	all.Close()
	l.Observe(ac, vehicle.BoolOf(false), epoch, vehicle.Source{})
	if news := all.Take(nil); len(news) != 0 {
		t.Fatalf("a closed watch took %+v", news)
	}
}

func TestWaitLosesNothing(t *testing.T) {
	p := liveProfile()
	l := vehicle.NewLive(p, vehicle.NewSystemClock())
	speed := p.Signal("speed").ID
	is := func(want float64) func(vehicle.Value) bool {
		return func(v vehicle.Value) bool { return v.Equal(vehicle.NumberOf(want)) }
	}
	// Each side waits for the other's last value: one lost update hangs both.
	var wg sync.WaitGroup
	for side := range 2 {
		wg.Go(func() {
			for i := side; i < 200; i += 2 {
				if err := l.Wait(t.Context(), speed, is(float64(i))); err != nil {
					t.Error(err)
					return
				}
				l.Observe(speed, vehicle.NumberOf(float64(i+1)), epoch, vehicle.Source{})
			}
		})
	}
	l.Observe(speed, vehicle.NumberOf(0), epoch, vehicle.Source{})
	wg.Wait()

	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	if err := l.Wait(ctx, speed, is(5)); err != gone {
		t.Fatalf("cancelled wait returned %v", err)
	}
	if err := l.Wait(ctx, speed, is(200)); err != nil {
		t.Fatalf("a condition that holds already is not met: %v", err)
	}
}

func TestWaitIgnoresStale(t *testing.T) {
	p := liveProfile()
	clock := vehicletest.NewClock(epoch)
	l := vehicle.NewLive(p, clock)
	speed := p.Signal("speed").ID
	l.Observe(speed, vehicle.NumberOf(0), epoch, vehicle.Source{})
	clock.Advance(2 * time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Wait(ctx, speed, func(vehicle.Value) bool { return true }); err == nil {
		t.Fatal("a stale value met the condition")
	}
}
