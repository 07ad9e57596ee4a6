// SPDX-License-Identifier: Apache-2.0

package bundles_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/bundles"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/student/grammar"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/rules/fields"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// pack is the embedded bundle with another revision.
func pack(t *testing.T, revision string) []byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, testdata.FS); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, testdata.InCarBundle)
	if err := os.WriteFile(filepath.Join(at, "manifest.yaml"), []byte("name: in-car\nlanguages: [en, de]\nrevision: "+revision), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	cat := vehicle.NewCatalog(p)
	set, err := rules.Load(os.DirFS(at), ".", cat)
	if err != nil {
		t.Fatal(err)
	}
	data, err := archive.Build(os.DirFS(at), ".", archive.Manifest{Name: "in-car", Revision: set.Manifest.Revision, Languages: []string{"en", "de"},
		Catalogues: []string{fields.Digest(cat)}, Rules: len(set.Rules), Tests: len(set.Cases)})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// slowStudent drafts when the test lets it.
type slowStudent struct {
	harness.Student
	begun, finish chan struct{}
}

func (s *slowStudent) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	if s.begun != nil {
		s.begun <- struct{}{}
		<-s.finish
	}
	return s.Student.Draft(ctx, p)
}

// bench is a bench that takes bundles of a vendor up, with gates beside its own.
func bench(t *testing.T, slow *slowStudent, gates ...harness.Gate) (*rig.Rig, *repotest.Vendor) {
	t.Helper()
	v := repotest.New(t)
	s := new(store.Memory)
	clock := vehicle.NewSystemClock()
	r, err := rig.New(t.Context(), rig.Options{Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en", Fast: true, Clock: clock,
		Log: zerolog.Nop(), Store: s, Gates: append(harness.Gates(), gates...),
		Student: func(w system.Words) (harness.Student, error) {
			g, err := grammar.New(grammar.Options{Languages: w.Languages, Lexicons: w.Files, Context: w.Context})
			slow.Student = g
			return slow, err
		},
		Bundles: &bundles.Parts{Config: config.Bundles{Root: v.RootFile(), Source: v.Public(), GoodTurns: 3, GoodTime: time.Minute}, Store: s, StateDir: t.TempDir(),
			Now: func() time.Time { return repotest.Start.Add(time.Hour) }, Log: zerolog.Nop()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r, v
}

// installStaged asks for an install and goes away once it is staged, which is
// as far as it can come while the car is busy.
func installStaged(t *testing.T, r *rig.Rig) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	go func() {
		for ctx.Err() == nil {
			if c := r.Bundles.Status().Candidate; c != nil && c.Stage == bundle.Staged {
				end()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	out, err := r.Bundles.Install(ctx, bundle.Request{By: "test"})
	if err != nil || out.Stage != bundle.Staged {
		t.Fatalf("%+v, %v", out, err)
	}
}

// A turn that runs ends under the rules that it began with; the bundle waits for
// its end, and decides from the next turn on.
func TestInstallDuringATurn(t *testing.T) {
	slow := &slowStudent{begun: make(chan struct{}), finish: make(chan struct{})}
	r, v := bench(t, slow)
	v.Publish(pack(t, "2"))
	first := make(chan *harness.Turn, 1)
	go func() {
		turn, err := r.System.Turn(t.Context(), "a", "set the fan to level 2")
		if err != nil {
			t.Error(err)
		}
		first <- turn
	}()
	<-slow.begun
	installStaged(t, r)
	go func() {
		for range slow.begun {
			slow.finish <- struct{}{}
		}
	}()
	slow.finish <- struct{}{}
	if turn := <-first; turn == nil || turn.Rules != "in-car r1" || turn.Outcome != harness.Spoke {
		t.Errorf("the turn under way: %+v", turn)
	}
	if err := r.Bundles.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	turn, err := r.System.Turn(t.Context(), "a", "set the fan to level 3")
	if err != nil || turn.Rules != "in-car r2" {
		t.Errorf("the next turn: %+v, %v", turn, err)
	}
}

// A question that waits for its answer is not taken away.
func TestInstallDuringAQuestion(t *testing.T) {
	r, v := bench(t, &slowStudent{})
	v.Publish(pack(t, "2"))
	turn, err := r.System.Turn(t.Context(), "a", "open the trunk")
	if err != nil || turn.Outcome != harness.Asked {
		t.Fatalf("%+v, %v", turn, err)
	}
	installStaged(t, r)
	if turn, err = r.System.Turn(t.Context(), "a", "yes"); err != nil || turn.Rules != "in-car r1" || turn.Outcome != harness.Spoke {
		t.Errorf("%+v, %v", turn, err)
	}
	if err := r.Bundles.Resume(t.Context()); err != nil || r.Bundles.Status().ActiveRevision != 2 {
		t.Errorf("%+v, %v", r.Bundles.Status(), err)
	}
	for _, c := range r.System.Checks() {
		if c.Name == "bundles" && (c.State != "ok" || !strings.Contains(c.Detail, "revision 2, on probation")) {
			t.Errorf("%+v", c)
		}
	}
}

// Turns in which a gate fails end a bundle on probation, while the car goes on
// being driven.
func TestFailingGates(t *testing.T) {
	var fails atomic.Bool
	r, v := bench(t, &slowStudent{}, harness.Gate{Name: "brittle", Tier: harness.Hard, Doc: "fails under new rules", Check: func(*harness.View) []harness.Finding {
		if fails.Load() {
			panic("brittle")
		}
		return nil
	}})
	v.Publish(pack(t, "2"))
	if out, err := r.Bundles.Install(t.Context(), bundle.Request{By: "test"}); err != nil || out.Stage != bundle.Active {
		t.Fatalf("%+v, %v", out, err)
	}
	fails.Store(true)
	for range 3 {
		if turn, err := r.System.Turn(t.Context(), "a", "set the fan to level 2"); err != nil || turn.Rules != "in-car r2" {
			t.Fatalf("%+v, %v", turn, err)
		}
	}
	for r.Bundles.Status().ActiveRevision != 1 {
		select {
		case <-t.Context().Done():
			t.Fatal("nothing was rolled back")
		case <-time.After(5 * time.Millisecond):
		}
	}
	turn, err := r.System.Turn(t.Context(), "a", "set the fan to level 3")
	if err != nil || turn.Rules != "in-car r1" {
		t.Errorf("%+v, %v", turn, err)
	}
	if h, err := r.Bundles.History(1); err != nil || h[0].To != "rolled back" || h[0].Reason != "rules or gates failed in 3 of 3 turns" {
		t.Errorf("%+v, %v", h, err)
	}
}

// A notice over MQTT makes the unit look at its own source, whatever it says.
func TestNotice(t *testing.T) {
	r, v := bench(t, &slowStudent{})
	v.Publish(pack(t, "2"))
	if err := r.Broker.Publish("carguard/bench/notice", []byte(`{"from": "http://evil.example/"}`), false); err != nil {
		t.Fatal(err)
	}
	for r.Bundles.Status().ActiveRevision != 2 {
		select {
		case <-t.Context().Done():
			t.Fatal("nothing was taken up")
		case <-time.After(5 * time.Millisecond):
		}
	}
	if h, err := r.Bundles.History(1); err != nil || h[0].By != "notice" || h[0].Source != v.Public() {
		t.Errorf("%+v, %v", h, err)
	}
}
