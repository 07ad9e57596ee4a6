// SPDX-License-Identifier: Apache-2.0

package faulty

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func newTestRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestScript(t *testing.T) {
	p := studenttest.Prompt("x")
	s := Script(Say("a"), Fail(student.Timeout), Nothing(), Repeat("get_state", `{}`, 50), Long(1000), Call("set_heat", `{oops`))
	for i, check := range []func(d harness.Draft, err error) bool{
		func(d harness.Draft, err error) bool { return err == nil && d.Text == "a" && d.Student == "scripted" },
		func(_ harness.Draft, err error) bool { return errors.Is(err, student.Timeout) },
		func(d harness.Draft, err error) bool { return err == nil && d.Text == "" && len(d.Calls) == 0 },
		func(d harness.Draft, _ error) bool { return len(d.Calls) == 50 && d.Calls[0].ID != d.Calls[49].ID },
		func(d harness.Draft, _ error) bool { return len(d.Text) == 1000 },
		func(d harness.Draft, _ error) bool { return d.Calls[0].Raw == "{oops" },
		func(d harness.Draft, _ error) bool { return d.Calls[0].Raw == "{oops" },
	} {
		if d, err := s.Draft(t.Context(), p); !check(d, err) {
			t.Errorf("step %d: %+v, %v", i, d, err)
		}
	}
	if s.Asked() != 7 {
		t.Errorf("asked %d times", s.Asked())
	}
	if _, err := Script().Draft(t.Context(), p); !errors.Is(err, student.Empty) {
		t.Errorf("empty script: %v", err)
	}
}

func TestScriptKeepsIdentifiers(t *testing.T) {
	d, _ := Script(Calls(vehicle.Call{ID: "a"}, vehicle.Call{ID: "a"}, vehicle.Call{})).Draft(t.Context(), studenttest.Prompt("x"))
	if d.Calls[0].ID != "a" || d.Calls[1].ID != "a" || d.Calls[2].ID == "" {
		t.Errorf("identifiers %+v", d.Calls)
	}
}

func TestScriptHangs(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := Script(Hang()).Draft(ctx, studenttest.Prompt("x")); !errors.Is(err, student.Timeout) {
		t.Error(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := Script(Hang()).Draft(gone, studenttest.Prompt("x")); !errors.Is(err, student.Cancelled) {
		t.Error(err)
	}
}

func TestScriptLate(t *testing.T) {
	clock := vehicletest.NewClock(time.Unix(0, 0))
	got := make(chan string)
	go func() {
		d, _ := Script(Late(clock, time.Minute, Say("late"))).Draft(context.Background(), studenttest.Prompt("x"))
		got <- d.Text
	}()
	clock.BlockUntil(1)
	clock.Advance(time.Minute)
	if text := <-got; text != "late" {
		t.Errorf("text %q", text)
	}
}

func TestScriptPanics(t *testing.T) {
	defer func() {
		if recover() != "boom" {
			t.Error("no panic")
		}
	}()
	_, _ = Script(Panic("boom")).Draft(t.Context(), studenttest.Prompt("x"))
}
