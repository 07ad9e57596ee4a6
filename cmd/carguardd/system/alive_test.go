// SPDX-License-Identifier: Apache-2.0

package system_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// leapClock is the machine's clock, which the test can put forward.
type leapClock struct {
	*vehicle.SystemClock
	ahead atomic.Int64
}

func (c *leapClock) Mono() time.Duration { return c.SystemClock.Mono() + time.Duration(c.ahead.Load()) }

// slowStudent drafts when the test lets it.
type slowStudent struct {
	harness.Student
	begun, finish chan struct{}
}

func (s *slowStudent) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	s.begun <- struct{}{}
	<-s.finish
	return s.Student.Draft(ctx, p)
}

func newRig(t *testing.T, clock vehicle.Clock, log zerolog.Logger, s harness.Student) *rig.Rig {
	t.Helper()
	r, err := rig.New(t.Context(), rig.Options{Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en",
		Fast: true, Clock: clock, Log: log, Student: func(system.Words) (harness.Student, error) { return s, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// failing are the probes that say no.
func failing(s *system.System) string {
	var out []string
	for _, p := range s.Probes() {
		if err := p.Check(); err != nil {
			out = append(out, p.Name+": "+err.Error())
		}
	}
	return strings.Join(out, "; ")
}

// A turn may wait for a slow student, but not for ever: a student that does not
// keep its deadline makes the watchdog starve, until it answers after all.
func TestTurnThatHangs(t *testing.T) {
	clock := &leapClock{SystemClock: vehicle.NewSystemClock()}
	student := &slowStudent{harnesstest.NewStudent(harness.Draft{Text: "Hello."}), make(chan struct{}), make(chan struct{})}
	r := newRig(t, clock, zerolog.Nop(), student)
	if err := r.System.SelfTest(); err != nil {
		t.Error(err)
	}
	if got := failing(r.System); got != "" {
		t.Errorf("at rest: %s", got)
	}
	clock.ahead.Add(int64(time.Hour))
	if got := failing(r.System); got != "" {
		t.Errorf("at rest for an hour: %s", got)
	}
	done := make(chan error, 1)
	go func() { _, err := r.System.Turn(context.Background(), "test", "hello"); done <- err }()
	<-student.begun
	clock.ahead.Add(int64(time.Minute))
	if got := failing(r.System); got != "" {
		t.Errorf("a student at its deadline: %s", got)
	}
	clock.ahead.Add(int64(5 * time.Minute))
	if got := failing(r.System); !strings.HasPrefix(got, "turns: a turn of session test has not moved for 6m") {
		t.Errorf("a student that hangs: %q", got)
	}
	close(student.finish)
	go func() {
		for range student.begun {
		}
	}()
	if err := <-done; err != nil {
		t.Error(err)
	}
	close(student.begun)
	if got := failing(r.System); got != "" {
		t.Errorf("after it: %s", got)
	}
}

// Settings that change are those of the next turn; a turn that runs ends under
// its own.
func TestChange(t *testing.T) {
	old := &slowStudent{harnesstest.NewStudent(harness.Draft{Text: "Old."}, harness.Draft{Text: "Old."}), make(chan struct{}), make(chan struct{})}
	r := newRig(t, vehicle.NewSystemClock(), zerolog.Nop(), old)
	now := r.System.Settings()
	turn := make(chan *harness.Turn, 1)
	say := func() {
		got, err := r.System.Turn(context.Background(), "test", "hello")
		if err != nil {
			t.Error(err)
		}
		turn <- got
	}
	go say()
	<-old.begun
	next := now
	next.Student = harnesstest.NewStudent(harness.Draft{Text: "New."})
	rules := *now.Rules
	rules.Manifest.Revision += 41
	next.Rules = &rules
	if err := r.System.Change(next); err != nil {
		t.Fatal(err)
	}
	close(old.finish)
	if got := <-turn; got.Reply != "Old." || strings.HasSuffix(got.Rules, "42") {
		t.Errorf("the turn that ran: %q under %s", got.Reply, got.Rules)
	}
	go say()
	if got := <-turn; got.Reply != "New." || !strings.HasSuffix(got.Rules, "r42") {
		t.Errorf("the next turn: %q under %s", got.Reply, got.Rules)
	}
	if err := r.System.Change(system.Settings{}); err == nil {
		t.Error("empty settings were taken")
	}
}

// What is owed and what is withheld has an event in the log; what was said and
// what a call would have told the world has none.
func TestEventsInTheLog(t *testing.T) {
	var log bytes.Buffer
	s := harnesstest.NewStudent(harnesstest.Calls("set_air_conditioning", `{"on":true}`))
	r := newRig(t, vehicle.NewSystemClock(), zerolog.New(zerolog.SyncWriter(&log)).Level(zerolog.InfoLevel), s)
	if _, err := r.System.Turn(context.Background(), "test", "turn on the air conditioning please"); err != nil {
		t.Fatal(err)
	}
	got := log.String()
	if !strings.Contains(got, `"event":"obligation","rule":"011a"`) || strings.Contains(got, "please") || strings.Contains(got, "percentage") {
		t.Errorf("the log:\n%s", got)
	}
}

// Names of conversations do not run out.
func TestManyConversations(t *testing.T) {
	drafts := make([]harness.Draft, 40)
	for i := range drafts {
		drafts[i].Text = "Hello."
	}
	r := newRig(t, vehicle.NewSystemClock(), zerolog.Nop(), harnesstest.NewStudent(drafts...))
	for i := range drafts {
		if _, err := r.System.Turn(t.Context(), fmt.Sprintf("seat %d", i), "hello"); err != nil {
			t.Fatal(err)
		}
	}
}
