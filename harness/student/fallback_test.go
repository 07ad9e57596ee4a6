// SPDX-License-Identifier: Apache-2.0

package student_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// fake is a student that answers or fails as it is told.
type fake struct {
	name   string
	err    error // of drafts
	health error
	asked  int
	looked int
}

func (f *fake) Name() string { return f.name }

func (f *fake) Draft(ctx context.Context, _ *harness.Prompt) (harness.Draft, error) {
	f.asked++
	return harness.Draft{Text: "hello", Student: f.name}, f.err
}

func (f *fake) Health(context.Context) error { f.looked++; return f.health }

func kind(k student.Kind) error { return student.Errorf(k, nil, "test") }

func TestFallback(t *testing.T) {
	clock := vehicletest.NewClock(time.Unix(0, 0))
	model, offline := &fake{name: "model"}, &fake{name: "offline"}
	var switches []string
	f := student.NewFallback(model, offline, clock, student.FallbackOptions{Switched: func(to harness.Student, err error) {
		switches = append(switches, to.Name())
	}})
	step := func(want string, asked int) {
		t.Helper()
		d, err := f.Draft(t.Context(), &harness.Prompt{})
		if err != nil || d.Student != want || f.Name() != want || model.asked != asked {
			t.Fatalf("%v answers (%s named, %v), the model was asked %d times; want %s and %d", d.Student, f.Name(), err, model.asked, want, asked)
		}
	}
	step("model", 1)
	if n := f.Notice("en"); n != "" {
		t.Errorf("notice %q", n)
	}
	model.err = kind(student.Unreachable)
	step("offline", 2) // for the draft at hand
	if n := f.Notice("de"); !strings.Contains(n, "Sprachmodell nicht") || !strings.Contains(n, "einfache Befehle") {
		t.Errorf("notice %q", n)
	}
	if n := f.Notice("en"); n != "" {
		t.Errorf("notice again: %q", n)
	}
	step("offline", 3) // the second failure in a row
	step("offline", 3) // it rests
	clock.Advance(5 * time.Second)
	model.health = kind(student.Unreachable)
	step("offline", 3) // a look is enough
	clock.Advance(5 * time.Second)
	step("offline", 3) // rests longer now
	if model.looked != 1 {
		t.Errorf("looked %d times", model.looked)
	}
	clock.Advance(5 * time.Second)
	model.health, model.err = nil, nil
	step("model", 4)
	if n := f.Notice("en"); !strings.Contains(n, "back") {
		t.Errorf("notice %q", n)
	}
	if !slices.Equal(switches, []string{"offline", "model"}) || f.Down() != nil {
		t.Errorf("switches %v, down %v", switches, f.Down())
	}
}

// An answer that is no use is the model's, and does not make the standby
// speak in its place.
func TestFallbackPassesUselessAnswers(t *testing.T) {
	clock := vehicletest.NewClock(time.Unix(0, 0))
	for _, k := range []student.Kind{student.Protocol, student.Incomplete, student.TooLarge, student.Empty} {
		model, offline := &fake{name: "model", err: kind(k)}, &fake{name: "offline"}
		f := student.NewFallback(model, offline, clock, student.FallbackOptions{})
		for range 5 {
			if _, err := f.Draft(t.Context(), &harness.Prompt{}); !errors.Is(err, k) {
				t.Errorf("%s: %v", k, err)
			}
		}
		if offline.asked != 0 || model.asked != 5 {
			t.Errorf("%s: the standby was asked %d times, the model %d", k, offline.asked, model.asked)
		}
	}
}

// A driver who gives up is not answered, and it says nothing about the model.
func TestFallbackCancelled(t *testing.T) {
	model, offline := &fake{name: "model", err: kind(student.Cancelled)}, &fake{name: "offline"}
	f := student.NewFallback(model, offline, vehicletest.NewClock(time.Unix(0, 0)), student.FallbackOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Draft(ctx, &harness.Prompt{}); !errors.Is(err, student.Cancelled) || offline.asked != 0 || f.Down() != nil {
		t.Errorf("%v, the standby was asked %d times, down %v", err, offline.asked, f.Down())
	}
}

// A model that takes all the time there is leaves some for the standby.
func TestFallbackReserve(t *testing.T) {
	slow := slowStudent{}
	f := student.NewFallback(slow, &fake{name: "offline"}, vehicletest.NewClock(time.Unix(0, 0)), student.FallbackOptions{Reserve: time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour+10*time.Millisecond)
	defer cancel()
	if d, err := f.Draft(ctx, &harness.Prompt{}); err != nil || d.Student != "offline" {
		t.Errorf("%+v, %v", d, err)
	}
}

type slowStudent struct{}

func (slowStudent) Name() string { return "slow" }

func (slowStudent) Draft(ctx context.Context, _ *harness.Prompt) (harness.Draft, error) {
	<-ctx.Done()
	return harness.Draft{}, student.Errorf(student.Timeout, ctx.Err())
}

// When neither answers, both failures are told.
func TestFallbackBothFail(t *testing.T) {
	f := student.NewFallback(&fake{err: kind(student.Server)}, &fake{err: kind(student.Empty)}, vehicletest.NewClock(time.Unix(0, 0)), student.FallbackOptions{})
	if _, err := f.Draft(t.Context(), &harness.Prompt{}); !errors.Is(err, student.Empty) || !errors.Is(err, student.Server) {
		t.Error(err)
	}
}

// However a model fails, it is never left alone for longer than the longest
// rest, and a success ends the rest.
func TestFallbackRests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := vehicletest.NewClock(time.Unix(0, 0))
		model := &fake{name: "model"}
		f := student.NewFallback(model, &fake{name: "offline"}, clock, student.FallbackOptions{})
		var lastAsked time.Duration
		for range 60 {
			down := rapid.Bool().Draw(t, "down")
			model.err, model.health = nil, nil
			if down {
				model.err, model.health = kind(student.Unreachable), kind(student.Unreachable)
			}
			tried := model.asked + model.looked
			d, err := f.Draft(context.Background(), &harness.Prompt{})
			if err != nil {
				t.Fatal(err)
			}
			if model.asked+model.looked > tried {
				if (d.Student == "model") == down {
					t.Fatalf("%s answers, down %v", d.Student, down)
				}
				lastAsked = clock.Mono()
			} else if clock.Mono()-lastAsked > time.Minute {
				t.Fatalf("left alone for %v", clock.Mono()-lastAsked)
			}
			clock.Advance(time.Duration(rapid.IntRange(0, 70).Draw(t, "seconds")) * time.Second)
		}
	})
}
