// SPDX-License-Identifier: Apache-2.0

package bundle_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
)

// What is staged waits for a moment between two turns, and is taken up then, or
// at the next start.
func TestStaged(t *testing.T) {
	u := newUnit(t, nil)
	busy := errors.New("a turn runs")
	u.Attach(func(ctx context.Context) error {
		if busy != nil {
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}, func(*rules.Set) error { return nil })
	u.vendor.Publish(good(t, 2))
	ctx, end := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer end()
	out, err := u.Install(ctx, bundle.Request{})
	if err != nil || out.Stage != bundle.Staged || !strings.Contains(out.Note, "turn under way") {
		t.Fatalf("%+v, %v", out, err)
	}
	u.inForce(1)
	busy = nil
	if err := u.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	u.inForce(2)

	busy = errors.New("a turn runs")
	u.vendor.Publish(good(t, 3))
	ctx, end = context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer end()
	if out, err := u.Install(ctx, bundle.Request{}); err != nil || out.Stage != bundle.Staged {
		t.Fatalf("%+v, %v", out, err)
	}
	u.inForce(2)
	u.boot()
	u.inForce(3)
	if p := u.Status().Probation; p == nil || p.Boots != 1 {
		t.Errorf("probation %+v", p)
	}
}

// What is staged is compared again before it decides: a reload, or a newer
// daemon, may have brought a higher revision while it waited.
func TestStagedTooLong(t *testing.T) {
	for _, c := range []struct {
		name    string
		factory int // that came meanwhile
		takeUp  func(u *unit) error
	}{
		{"a reload brings a higher one", 3, func(u *unit) error {
			_, err := u.Rebase(u.car(3))
			return errors.Join(err, u.Resume(t.Context()))
		}},
		{"a reload brings the same one", 2, func(u *unit) error {
			_, err := u.Rebase(u.car(2))
			return errors.Join(err, u.Resume(t.Context()))
		}},
		{"a newer daemon", 5, func(u *unit) error {
			u.options = func(o *bundle.Options) { o.Car = u.car(5) }
			u.boot()
			return nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := newUnit(t, nil)
			busy := true
			u.Attach(func(ctx context.Context) error {
				if busy {
					<-ctx.Done()
				}
				return ctx.Err()
			}, func(*rules.Set) error { return nil })
			u.vendor.Publish(good(t, 2))
			ctx, end := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer end()
			if out, err := u.Install(ctx, bundle.Request{}); err != nil || out.Stage != bundle.Staged {
				t.Fatalf("%+v, %v", out, err)
			}
			busy = false
			if err := c.takeUp(u); err != nil {
				rejected(t, err, bundle.WhyRevision, "while it waited")
			}
			u.inForce(c.factory)
			if s := u.Status(); s.Stage != "factory" || s.Candidate != nil || s.Highest != 0 || len(s.Refused) != 0 {
				t.Errorf("%+v", s)
			}
			if h, err := u.History(1); err != nil || h[0].To != "rejected" || h[0].Code != bundle.WhyRevision || h[0].Revision != 2 {
				t.Errorf("%+v, %v", h, err)
			}
			u.vendor.Publish(good(t, 6))
			if _, err := u.install(); err != nil {
				t.Error(err)
			}
			u.inForce(6)
		})
	}
}
