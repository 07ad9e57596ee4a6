// SPDX-License-Identifier: Apache-2.0

package bundle_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
)

// A bundle goes through every stage, decides from then on, and becomes good.
func TestLife(t *testing.T) {
	u := newUnit(t, nil)
	u.inForce(1)
	if s := u.Status(); s.Stage != "factory" || s.FactoryRevision != 1 {
		t.Errorf("%+v", s)
	}
	if out, err := u.install(); err != nil || out.Stage != "" || out.Revision != 1 {
		t.Errorf("nothing is there: %+v, %v", out, err)
	}
	u.vendor.Publish(good(t, 2))
	out, err := u.install()
	if err != nil || out.Stage != bundle.Active || out.Revision != 2 || out.Tests != 2 || out.Floor != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	u.inForce(2)
	if len(u.forced) != 1 || u.forced[0] != u.Set() {
		t.Errorf("%d sets were put in force", len(u.forced))
	}
	var stages []string
	for _, e := range u.events {
		stages = append(stages, e.To)
		if e.To == "checked" && (e.Roles["root"].Version != 1 || len(e.Roles["root"].Keys) != 3 || e.Roles["targets"].Version != 2) {
			t.Errorf("roles %+v", e.Roles)
		}
	}
	if want := []string{"checked", "downloaded", "verified", "tested", "staged", "active"}; !slices.Equal(stages, want) {
		t.Errorf("stages %v, want %v", stages, want)
	}
	if out, err := u.install(); err != nil || out.Stage != "" || out.Revision != 2 {
		t.Errorf("again: %+v, %v", out, err)
	}
	u.boot()
	u.inForce(2)
	for range 3 {
		if err := u.Turn(false); err != nil {
			t.Fatal(err)
		}
	}
	if s := u.Status(); s.Stage != "active" || s.Probation.Turns != 3 {
		t.Errorf("good too early: %+v", s)
	}
	if err := u.Lasted(time.Minute); err != nil {
		t.Fatal(err)
	}
	if s := u.Status(); s.Stage != "good" || s.Probation != nil || s.Highest != 2 || s.LastSuccessfulActivation.IsZero() {
		t.Errorf("%+v", s)
	}
	u.vendor.Publish(good(t, 3))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	u.inForce(3)
	if s := u.Status(); s.Previous == nil || s.Previous.Revision != 2 {
		t.Errorf("previous %+v", s.Previous)
	}
	// Only what may be gone back to is kept.
	u.vendor.Publish(good(t, 4))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(u.dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
	h, err := u.History(4)
	if err != nil || len(h) != 4 || h[0].To != "active" || h[0].Revision != 4 || h[3].To != "verified" {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestRollBack(t *testing.T) {
	u := newUnit(t, nil)
	if err := u.RollBack("test"); !errors.Is(err, bundle.ErrFactory) {
		t.Errorf("from the factory's: %v", err)
	}
	for n := 2; n <= 3; n++ {
		u.vendor.Publish(good(t, n))
		if _, err := u.install(); err != nil {
			t.Fatal(err)
		}
	}
	if err := u.RollBack("test"); err != nil {
		t.Fatal(err)
	}
	u.inForce(2)
	if s := u.Status(); s.Stage != "active" {
		t.Errorf("one that was replaced on probation is %s", s.Stage)
	}
	u.boot()
	u.inForce(2)
	// What was rolled back does not come again; what is higher does.
	if out, err := u.install(); err != nil || out.Stage != "" || !strings.Contains(out.Note, "was rejected before: somebody asked for it") {
		t.Errorf("%+v, %v", out, err)
	}
	if err := u.RollBack("test"); err != nil {
		t.Fatal(err)
	}
	u.inForce(1)
	if out, err := u.install(); err != nil || out.Stage != "" {
		t.Errorf("%+v, %v", out, err)
	}
	u.vendor.Publish(good(t, 4))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	u.inForce(4)
}

// Three starts in a row that do not last end a bundle on probation, without any
// network; starts that last, or end in an orderly way, do not.
func TestCrashLoop(t *testing.T) {
	u := newUnit(t, nil)
	u.vendor.Publish(good(t, 2))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		u.boot()
		if err := u.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		u.boot()
		for range 6 {
			if err := u.Lasted(10 * time.Second); err != nil {
				t.Fatal(err)
			}
		}
	}
	u.inForce(2)
	u.boot()
	u.boot()
	u.inForce(2)
	u.boot()
	u.inForce(1)
	if h, err := u.History(1); err != nil || h[0].To != "rolled back" || h[0].By != "daemon" || !strings.Contains(h[0].Reason, "did not stay up") {
		t.Errorf("%+v, %v", h, err)
	}
	// One that is good is not on probation: a unit may be switched off at once.
	u.vendor.Publish(good(t, 3))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := errors.Join(u.Turn(false), u.Lasted(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		u.boot()
	}
	u.inForce(3)
}

// Turns in which rules fail end a bundle on probation; a few among many do
// not.
func TestBadTurns(t *testing.T) {
	u := newUnit(t, func(o *bundle.Options) { o.GoodTurns = 1000 })
	u.vendor.Publish(good(t, 2))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	for n := range 40 {
		if err := u.Turn(n%10 == 9); err != nil {
			t.Fatal(err)
		}
	}
	u.inForce(2)
	for range 8 {
		if err := u.Turn(true); err != nil {
			t.Fatal(err)
		}
	}
	u.inForce(1)
	if len(u.forced) != 2 || u.forced[1] != u.Set() {
		t.Error("the running system did not get the factory's rules back")
	}
	if h, err := u.History(1); err != nil || !strings.Contains(h[0].Reason, "rules or gates failed in") {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestPin(t *testing.T) {
	u := newUnit(t, nil)
	u.vendor.Publish(good(t, 2))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	if n, err := u.Pin(0, "test"); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	u.vendor.Publish(good(t, 3))
	_, err := u.install()
	rejected(t, err, bundle.WhyPinned, "revision 3 rejected: the unit is pinned to revision 2")
	if out, err := u.Install(t.Context(), bundle.Request{By: "poll"}); err != nil || out.Stage != "" {
		t.Errorf("a poll: %+v, %v", out, err)
	}
	u.boot()
	_, err = u.install()
	rejected(t, err, bundle.WhyPinned, "pinned")
	// A pin is no way down.
	_, err = u.Pin(1, "test")
	rejected(t, err, bundle.WhyRevision, "a pin does not go back")
	u.inForce(2)
	// A higher pin lets in what is not above it.
	if _, err := u.Pin(3, "test"); err != nil {
		t.Fatal(err)
	}
	u.vendor.Publish(good(t, 4))
	if out, err := u.install(); err != nil || out.Revision != 3 {
		t.Errorf("%+v, %v", out, err)
	}
	if err := u.Unpin("test"); err != nil {
		t.Fatal(err)
	}
	if out, err := u.install(); err != nil || out.Revision != 4 {
		t.Errorf("%+v, %v", out, err)
	}
}

// A daemon that comes with a newer bundle is the floor: neither what was
// installed nor a pin goes below it.
func TestFactoryIsTheFloor(t *testing.T) {
	u := newUnit(t, nil)
	for n := 2; n <= 3; n++ {
		u.vendor.Publish(good(t, n))
		if _, err := u.install(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := u.Pin(3, "test"); err != nil {
		t.Fatal(err)
	}
	u.options = func(o *bundle.Options) { o.Car = u.car(5) }
	u.boot()
	u.inForce(5)
	if s := u.Status(); s.Stage != "factory" || s.Pinned != 0 {
		t.Errorf("%+v", s)
	}
	u.vendor.Publish(good(t, 4))
	if out, err := u.install(); err != nil || out.Stage != "" {
		t.Errorf("%+v, %v", out, err)
	}
	u.vendor.Publish(good(t, 6))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	u.inForce(6)
	// A rollback does not go below it either.
	u.options = func(o *bundle.Options) { o.Car = u.car(6) }
	u.boot()
	u.inForce(6)
	if err := u.RollBack("test"); err != nil {
		t.Fatal(err)
	}
	if s := u.Status(); s.Stage != "factory" || s.ActiveRevision != 6 {
		t.Errorf("%+v", s)
	}
}

// A system that does not take the rules keeps what it had.
func TestNotPutInForce(t *testing.T) {
	u := newUnit(t, nil)
	fail := errors.New("no room")
	u.Attach(func(context.Context) error { return nil }, func(s *rules.Set) error {
		if s.Rules[0].ID == "door-2" {
			return fail
		}
		return nil
	})
	u.vendor.Publish(good(t, 2))
	if _, err := u.install(); !errors.Is(err, fail) {
		t.Errorf("%v", err)
	}
	u.inForce(1)
	u.boot()
	u.inForce(1)
}

// Reading the configuration again keeps an installed bundle in force.
func TestRebase(t *testing.T) {
	u := newUnit(t, nil)
	u.vendor.Publish(good(t, 2))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	set, err := u.Rebase(u.car(1))
	if err != nil || set.Rules[0].ID != "door-2" {
		t.Errorf("%v, %v", set, err)
	}
	set, err = u.Rebase(u.car(3))
	if err != nil || set.Rules[0].ID != "door-3" {
		t.Errorf("a newer folder: %v, %v", set, err)
	}
	u.inForce(3)
}
