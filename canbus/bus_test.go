// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"testing"
	"time"
)

// collect subscribes and returns a channel of events.
func collect(t *testing.T, b Bus) <-chan Event {
	t.Helper()
	ch := make(chan Event, 1024)
	t.Cleanup(b.Subscribe(func(ev Event) { ch <- ev }))
	return ch
}

// next waits for an event; the long limit is for a stuck test only.
func next(t *testing.T, ch <-chan Event) Event {
	t.Helper()
	select {
	case ev := <-ch:
		return ev
	case <-time.After(20 * time.Second):
		t.Fatal("no event arrived")
		return Event{}
	}
}

func frame(t testing.TB, text string) Frame {
	t.Helper()
	f, err := ParseFrame(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func open(t *testing.T, url string, o Options) Bus {
	t.Helper()
	b, err := Open(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func TestMemDelivers(t *testing.T) {
	for _, sync := range []bool{false, true} {
		x := &Exchange{Sync: sync}
		a, b, c := open(t, "mem:body", Options{Mem: x}), open(t, "mem:body", Options{Mem: x}), open(t, "mem:other", Options{Mem: x})
		got, own, other := collect(t, b), collect(t, a), collect(t, c)
		for _, s := range []string{"123#0102", "00000123#01", "7FF#R8"} {
			if err := a.Send(context.Background(), frame(t, s)); err != nil {
				t.Fatal(err)
			}
			if ev := next(t, got); ev.Frame.String() != s || ev.Kind != FrameEvent || ev.Time.IsZero() {
				t.Errorf("sync %v: got %+v, want frame %s", sync, ev, s)
			}
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if ev := next(t, got); ev.Link.State != LinkEnded {
			t.Errorf("after Close: %+v", ev)
		}
		if len(own)+len(other) != 0 {
			t.Errorf("sync %v: a frame reached its sender or another bus", sync)
		}
		if err := b.Send(context.Background(), Frame{}); !errors.Is(err, ErrClosed) {
			t.Errorf("Send after Close: %v", err)
		}
	}
}
