// SPDX-License-Identifier: Apache-2.0

package bundle_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/proof"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// tighter is a floor that asks for more: no carbon dioxide with a vent open.
const tighter = `tests:
- name: no carbon dioxide with a vent open
  state: {door_open: false, vent_north_opening: 50}
  turns:
  - draft: [{call: dose_co2, args: {"on": true}}]
    want: {calls: []}
`

// tightCar is the car of a daemon whose factory bundle is revision 1, with that
// floor.
func (u *unit) tightCar() bundle.Car {
	u.t.Helper()
	car := u.car(1)
	var err error
	if car.Floor, err = proof.LoadFloor(fstest.MapFS{"floor.yaml": {Data: []byte(tighter)}}, ".", car.Catalog); err != nil {
		u.t.Fatal(err)
	}
	return car
}

// strict makes the rule of a bundle one that keeps to that floor.
func strict(f fstest.MapFS, _ *archive.Manifest) {
	change := func(file, from, to string) {
		f[file].Data = []byte(strings.ReplaceAll(string(f[file].Data), from, to))
	}
	change("rules/a.yaml", "{field: door_open, is: false}", "{field: door_open, is: false}, {field: vent_north_opening, is: 0, unit: percent}")
	change("rules/a_test.yaml", "door_open: false", "door_open: false, vent_north_opening: 0")
}

// A floor that a newer daemon brings is asked for again: by the start, by a
// reload, and before what is staged decides.
func TestTighterFloor(t *testing.T) {
	prepare := func(t *testing.T) *unit {
		u := newUnit(t, nil)
		u.vendor.Publish(pack(t, 2, "", strict))
		if _, err := u.install(); err != nil {
			t.Fatal(err)
		}
		u.vendor.Publish(good(t, 3))
		return u
	}
	t.Run("at the start", func(t *testing.T) {
		u := prepare(t)
		if _, err := u.install(); err != nil {
			t.Fatal(err)
		}
		u.options = func(o *bundle.Options) { o.Car = u.tightCar() }
		u.boot()
		u.inForce(2)
		if h, err := u.History(1); err != nil || h[0].To != "rolled back" || !strings.Contains(h[0].Reason, `floor test "no carbon dioxide with a vent open"`) {
			t.Errorf("%+v, %v", h, err)
		}
		if s := u.Status(); len(s.Refused) != 1 {
			t.Errorf("%+v", s)
		}
		u.boot()
		u.inForce(2)
	})
	t.Run("and the one before breaks it, too", func(t *testing.T) {
		u := prepare(t)
		for n := 3; n <= 4; n++ {
			if _, err := u.install(); err != nil {
				t.Fatal(err)
			}
			u.vendor.Publish(good(t, n+1))
		}
		u.options = func(o *bundle.Options) { o.Car = u.tightCar() }
		u.boot()
		u.inForce(1)
	})
	t.Run("a reload", func(t *testing.T) {
		u := prepare(t)
		if _, err := u.install(); err != nil {
			t.Fatal(err)
		}
		_, err := u.Rebase(u.tightCar())
		rejected(t, err, bundle.WhyFloor, "no carbon dioxide with a vent open")
		u.inForce(3)
		u.boot()
		u.inForce(3)
	})
	t.Run("what is staged", func(t *testing.T) {
		u := prepare(t)
		busy := true
		u.Attach(func(ctx context.Context) error {
			if busy {
				<-ctx.Done()
			}
			return ctx.Err()
		}, func(*rules.Set) error { return nil })
		ctx, end := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer end()
		if out, err := u.Install(ctx, bundle.Request{}); err != nil || out.Stage != bundle.Staged {
			t.Fatalf("%+v, %v", out, err)
		}
		if _, err := u.Rebase(u.tightCar()); err != nil {
			t.Fatal(err)
		}
		busy = false
		rejected(t, u.Resume(t.Context()), bundle.WhyFloor, "no carbon dioxide with a vent open")
		u.inForce(2)
	})
}

// counting counts the tests that are played.
type counting struct {
	rulestest.Plain
	played *int
}

func (c counting) Begin(set *rules.Set, cat *vehicle.Catalog, k *rules.Case) (rulestest.Conversation, error) {
	*c.played++
	return c.Plain.Begin(set, cat, k)
}

// The floor is played once for each daemon and floor, not at every start.
func TestFloorIsPlayedOnce(t *testing.T) {
	played, version := 0, "v1.4.0"
	u := newUnit(t, func(o *bundle.Options) { o.Judge, o.Unit.Daemon = counting{played: &played}, version })
	u.vendor.Publish(pack(t, 2, "", strict))
	if out, err := u.install(); err != nil || played != out.Tests+out.Floor {
		t.Fatalf("%d tests were played, %+v, %v", played, out, err)
	}
	for _, c := range []struct {
		name string
		next func()
		want int
	}{
		{"the same daemon", func() {}, 0},
		{"a newer daemon", func() { version = "v1.5.0" }, 1},
		{"again", func() {}, 0},
	} {
		played = 0
		c.next()
		u.boot()
		u.inForce(2)
		if played != c.want {
			t.Errorf("%s: %d tests were played, want %d", c.name, played, c.want)
		}
		if err := u.Stop(); err != nil {
			t.Fatal(err)
		}
	}
}
