// SPDX-License-Identifier: Apache-2.0

package vehicletest

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestClockFiresInOrder(t *testing.T) {
	c := NewClock(time.Unix(1000, 0))
	var got []string
	at := func(name string) func() {
		return func() { got = append(got, name+"@"+c.Mono().String()) }
	}
	c.AfterFunc(20*time.Millisecond, at("b"))
	c.AfterFunc(10*time.Millisecond, func() {
		at("a")()
		c.AfterFunc(5*time.Millisecond, at("nested"))
	})
	c.AfterFunc(20*time.Millisecond, at("c"))
	stopped := c.AfterFunc(12*time.Millisecond, at("never"))
	if !stopped.Stop() || stopped.Stop() {
		t.Fatal("stop reports wrongly")
	}
	c.Advance(20 * time.Millisecond)
	want := []string{"a@10ms", "nested@15ms", "b@20ms", "c@20ms"}
	if !slices.Equal(got, want) {
		t.Fatalf("fired %v, want %v", got, want)
	}
	if !c.Now().Equal(time.Unix(1000, 0).Add(20 * time.Millisecond)) {
		t.Fatalf("now is %v", c.Now())
	}
}

func TestClockChannel(t *testing.T) {
	c := NewClock(time.Unix(0, 0))
	tm := c.NewTimer(time.Second)
	c.Advance(999 * time.Millisecond)
	select {
	case <-tm.C():
		t.Fatal("fired early")
	default:
	}
	done := make(chan time.Time)
	go func() { done <- <-c.After(time.Second) }()
	c.BlockUntil(2)
	c.Advance(time.Second)
	<-tm.C()
	if at := <-done; !at.Equal(time.Unix(0, 0).Add(1999 * time.Millisecond)) {
		t.Fatalf("delivered %v", at)
	}
	if tm.Reset(time.Second) {
		t.Fatal("reset of a fired timer says it ran")
	}
	c.Advance(time.Second)
	if tm.Stop() {
		t.Fatal("stop of a fired timer says it ran")
	}
	select {
	case <-tm.C():
		t.Fatal("received after stop")
	default:
	}
}

func TestClockWallJump(t *testing.T) {
	c := NewClock(time.Unix(1000, 0))
	c.Advance(time.Second)
	c.JumpWall(-time.Hour)
	if c.Mono() != time.Second {
		t.Fatalf("mono moved to %v", c.Mono())
	}
	if !c.Now().Equal(time.Unix(1001-3600, 0)) {
		t.Fatalf("wall is %v", c.Now())
	}
}

// However the way is cut into steps, the same timers fire in the same order.
func TestClockStepsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delays := rapid.SliceOfN(rapid.IntRange(1, 50), 0, 20).Draw(t, "delays")
		cuts := rapid.SliceOfN(rapid.IntRange(0, 20), 0, 10).Draw(t, "cuts")
		run := func(cuts []int) (fired []int) {
			c := NewClock(time.Unix(0, 0))
			for i, d := range delays {
				c.AfterFunc(time.Duration(d), func() { fired = append(fired, i) })
			}
			for _, d := range cuts {
				c.Advance(time.Duration(d))
			}
			c.Advance(50)
			return fired
		}
		if a, b := run(nil), run(cuts); !slices.Equal(a, b) || len(a) != len(delays) {
			t.Fatalf("fired %v at once and %v in steps", a, b)
		}
	})
}

func TestLeapFiresACycleOnce(t *testing.T) {
	c := NewClock(time.Unix(1000, 0))
	var fired []time.Duration
	var beat func()
	beat = func() { fired = append(fired, c.Mono()); c.AfterFunc(100*time.Millisecond, beat) }
	c.AfterFunc(100*time.Millisecond, beat)
	once := c.After(3 * time.Second)
	later := c.After(6 * time.Second)
	c.Leap(5 * time.Second)
	if len(fired) != 1 || fired[0] != 5*time.Second {
		t.Errorf("the cycle fired at %v", fired)
	}
	select {
	case <-once:
	default:
		t.Error("what fell due on the way did not fire")
	}
	select {
	case <-later:
		t.Error("what falls due later fired")
	default:
	}
	if next, ok := c.Next(); !ok || next != 100*time.Millisecond {
		t.Errorf("the next cycle is due in %v", next)
	}
}
