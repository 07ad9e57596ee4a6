// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// All nodes see the same frames in the same order, none its own.
func TestMemOrder(t *testing.T) {
	const nodes, each = 4, 500
	x := &Exchange{}
	var buses [nodes]Bus
	var got [nodes][]Frame
	var wait sync.WaitGroup
	wait.Add(nodes)
	for i := range buses {
		buses[i] = x.Join("b")
		n := 0
		buses[i].Subscribe(func(ev Event) {
			if ev.Kind != FrameEvent {
				return
			}
			got[i] = append(got[i], ev.Frame)
			if n++; n == (nodes-1)*each {
				wait.Done()
			}
		})
	}
	for i, b := range buses {
		go func() {
			for k := range each {
				f := Frame{ID: uint32(i), Length: 2, Data: Data{byte(k), byte(k >> 8)}}
				if err := b.Send(context.Background(), f); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wait.Wait()
	without := func(list []Frame, ids ...uint32) (out []Frame) {
		for _, f := range list {
			if f.ID != ids[0] && f.ID != ids[1] {
				out = append(out, f)
			}
		}
		return out
	}
	for i := 1; i < nodes; i++ {
		a, b := without(got[0], 0, uint32(i)), without(got[i], 0, uint32(i))
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("nodes 0 and %d saw different orders", i)
		}
	}
	for i, b := range buses {
		b.Close()
		if s := b.Stats(); s.Sent != each || s.Received != (nodes-1)*each || s.Dropped != 0 {
			t.Errorf("node %d: %+v", i, s)
		}
	}
}

// On a synchronous bus an answer sent by a handler arrives before the Send that
// caused it returns, and after the cause has reached everyone.
func TestMemSyncIsDeterministic(t *testing.T) {
	x := &Exchange{Sync: true, Clock: &stepClock{time.Unix(1, 0)}}
	a, ecu, log := x.Join("b"), x.Join("b"), x.Join("b")
	ecu.Subscribe(func(ev Event) {
		if ev.Frame.ID < 3 {
			send(t, ecu, fmt.Sprintf("%03X#", ev.Frame.ID+0x10))
			send(t, ecu, fmt.Sprintf("%03X#", ev.Frame.ID+0x20))
		}
	})
	var seen []string
	log.Subscribe(func(ev Event) { seen = append(seen, ev.Frame.String()) })
	send(t, a, "001#")
	send(t, a, "002#")
	if got := fmt.Sprint(seen); got != "[001# 011# 021# 002# 012# 022#]" {
		t.Error(got)
	}
}

func TestMemSurvivesPanic(t *testing.T) {
	x := &Exchange{Sync: true}
	a, b := x.Join("b"), x.Join("b")
	cancel := b.Subscribe(func(Event) { panic("handler") })
	func() {
		defer func() { _ = recover() }()
		send(t, a, "001#")
	}()
	cancel()
	got := collect(t, b)
	send(t, a, "002#")
	if ev := next(t, got); ev.Frame.ID != 2 {
		t.Errorf("%+v", ev)
	}
}

func TestMemLink(t *testing.T) {
	for _, sync := range []bool{false, true} {
		x := &Exchange{Sync: sync}
		a, b := x.Join("b"), x.Join("b")
		got := collect(t, b)
		for _, s := range []LinkState{LinkWarning, LinkPassive, LinkBusOff, LinkDown, LinkUp} {
			x.SetLink("b", Link{State: s, Cause: "test"})
			x.SetLink("b", Link{State: s, Cause: "test"}) // no news
			if a.Link().State != s {
				t.Errorf("link is %v, want %v at once", a.Link(), s)
			}
			err := a.Send(context.Background(), Frame{ID: uint32(s)})
			if s.CanSend() != (err == nil) || (err != nil && !errors.Is(err, ErrLink)) {
				t.Errorf("Send while %v: %v", s, err)
			}
			if ev := next(t, got); ev.Kind != LinkEvent || ev.Link.State != s {
				t.Errorf("got %+v, want link %v", ev, s)
			}
			if s.CanSend() {
				if ev := next(t, got); ev.Frame.ID != uint32(s) {
					t.Errorf("got %+v", ev)
				}
			}
		}
		x.SetLink("late", Link{State: LinkBusOff})
		if c := x.Join("late"); c.Link().State != LinkBusOff {
			t.Error("a node that joined late does not know the link")
		}
		a.Close()
		b.Close()
		if a.Close() != nil {
			t.Error("second Close")
		}
	}
}

func TestMemFilters(t *testing.T) {
	x := &Exchange{Sync: true}
	a, b := x.Join("b"), x.Join("b", Filter{Key: 0x100, Mask: 0x7F0 | extendedBit}, Filter{Key: MakeKey(0x5, true), Mask: 0xFFFFFFFF})
	var seen []string
	b.Subscribe(func(ev Event) { seen = append(seen, ev.Frame.String()) })
	for _, s := range []string{"100#", "10F#", "110#", "00000100#", "00000005#", "005#"} {
		send(t, a, s)
	}
	if got := fmt.Sprint(seen); got != "[100# 10F# 00000005#]" {
		t.Error(got)
	}
}

// Frames beyond the queue of a stuck node are counted, link events are kept.
func TestMemOverflow(t *testing.T) {
	x := &Exchange{}
	a, b := x.Join("b"), x.Join("b")
	block, started := make(chan struct{}), make(chan struct{}, 1)
	var frames, links int
	b.Subscribe(func(ev Event) {
		select {
		case started <- struct{}{}:
		default:
		}
		<-block
		if ev.Kind == FrameEvent {
			frames++
		} else {
			links++
		}
	})
	send(t, a, "001#")
	<-started // one is being handled; the queue is empty
	const extra = 10
	for range memQueue + extra {
		send(t, a, "001#")
	}
	x.SetLink("b", Link{State: LinkDown})
	close(block)
	b.Close()
	if frames != memQueue+1 || links != 2 || b.Stats().Dropped != extra {
		t.Errorf("%d frames, %d link events, %+v", frames, links, b.Stats())
	}
}

func TestSendHonoursContext(t *testing.T) {
	x := &Exchange{}
	a := x.Join("b")
	defer a.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := a.Send(ctx, Frame{}); !errors.Is(err, context.Canceled) || a.Stats().SendErrors != 1 {
		t.Errorf("%v %+v", err, a.Stats())
	}
}

func TestReceiveEnds(t *testing.T) {
	x := &Exchange{}
	a := x.Join("b")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Receive(ctx, a, func(Event) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	a.Close()
	if err := Receive(context.Background(), a, func(Event) {}); err != nil {
		t.Error(err)
	}
}

func TestSniffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Sniffer
		n := rapid.IntRange(1, 50).Draw(t, "n")
		var or, last Data
		for i := range n {
			f := Frame{ID: 5, Length: 8, Data: Data{rapid.Byte().Draw(t, "b")}}
			if i > 0 {
				or[0] |= last[0] ^ f.Data[0]
			}
			last = f.Data
			s.Observe("b", Event{Time: time.Unix(int64(i), 0), Frame: f})
			s.Observe("a", Event{Time: time.Unix(0, 0), Frame: Frame{ID: 9}})
			s.Observe("a", Event{Kind: LinkEvent})
		}
		rows := s.Table()
		if len(rows) != 2 || rows[0].Bus != "a" || rows[1].Count != uint64(n) || rows[1].Changed != or || rows[1].Frame.Data != last {
			t.Fatalf("%+v", rows)
		}
		if n > 1 && rows[1].Period() != time.Second {
			t.Fatal(rows[1].Period())
		}
	})
}
