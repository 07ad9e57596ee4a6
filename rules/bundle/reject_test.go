// SPDX-License-Identifier: Apache-2.0

package bundle_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/trust"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// Every bundle that must not decide is rejected with its reason, what was in
// force still is, and a higher good one is taken up after it.
func TestRejections(t *testing.T) {
	for _, c := range []struct {
		name, manifest string
		change         func(fstest.MapFS, *archive.Manifest)
		code, want     string
		skipped        bool // it is not for this unit, which is no error
	}{
		{name: "for a newer daemon", manifest: "min_daemon: \"2.0.0\"\n", code: bundle.WhyDaemon, want: "needs daemon 2.0.0 or newer, and this is v1.4.0"},
		{name: "for an older daemon", manifest: "max_daemon: \"1.3\"\n", code: bundle.WhyDaemon, want: "needs daemon 1.3 or older"},
		{name: "no daemon version", manifest: "min_daemon: newest\n", code: bundle.WhyDaemon, want: "which are none"},
		{name: "for other hardware", manifest: "hardware: [hu-9]\n", skipped: true, want: "it is for hu-9, and this unit is hu-2"},
		{name: "for other tools", change: func(_ fstest.MapFS, m *archive.Manifest) { m.Catalogues = []string{strings.Repeat("0", 64)} },
			code: bundle.WhyCatalogue, want: "other tools"},
		{name: "a manifest of its own", change: func(f fstest.MapFS, _ *archive.Manifest) {
			f["manifest.yaml"].Data = []byte("name: small\nrevision: 9\nlanguages: [en]\n")
		}, code: bundle.WhyManifest, want: "manifest.yaml says small revision 9, and the archive small revision 2"},
		{name: "a hidden need", change: func(f fstest.MapFS, _ *archive.Manifest) {
			f["manifest.yaml"].Data = []byte("name: small\nrevision: 2\nlanguages: [en]\nmin_daemon: \"9.0.0\"\n")
		}, code: bundle.WhyManifest, want: "for other units"},
		{name: "rules that do not load", change: func(f fstest.MapFS, _ *archive.Manifest) {
			f["rules/a.yaml"].Data = []byte(strings.ReplaceAll(string(f["rules/a.yaml"].Data), "dose_co2", "dose_co3"))
		}, code: bundle.WhyRules, want: "small-2.cgb/rules/a.yaml:5:8: there is no tool dose_co3"},
		{name: "no bundle at all", change: func(f fstest.MapFS, _ *archive.Manifest) { delete(f, "rules/a.yaml"); delete(f, "rules/a_test.yaml") },
			code: bundle.WhyRules, want: "do not load"},
		{name: "a test that fails", change: func(f fstest.MapFS, _ *archive.Manifest) {
			f["rules/a_test.yaml"].Data = []byte(strings.ReplaceAll(string(f["rules/a_test.yaml"].Data), "door_open: true", "door_open: false"))
		}, code: bundle.WhyTests, want: "its own tests failed: small-2.cgb/rules/a_test.yaml:"},
		{name: "no tests", change: func(f fstest.MapFS, _ *archive.Manifest) { delete(f, "rules/a_test.yaml") },
			code: bundle.WhyTests, want: "no test makes rule door-2 fire"},
		{name: "below the floor", change: talkOnly, code: bundle.WhyFloor, want: "the floor failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u := newUnit(t, nil)
			u.vendor.Publish(pack(t, 2, c.manifest, c.change))
			out, err := u.install()
			if c.skipped {
				if err != nil || out.Stage != "" || !strings.Contains(out.Note, c.want) {
					t.Errorf("%+v, %v", out, err)
				}
			} else {
				rejected(t, err, c.code, c.want)
				if s := u.Status(); s.Code != c.code || s.Candidate != nil {
					t.Errorf("%+v", s)
				}
			}
			u.inForce(1)
			// By itself the unit does not try it again, and says nothing of it.
			if out, err := u.Install(t.Context(), bundle.Request{By: "poll"}); c.code != bundle.WhyDaemon && (err != nil || out.Stage != "") {
				t.Errorf("a poll: %+v, %v", out, err)
			}
			u.boot()
			u.inForce(1)
			u.vendor.Publish(good(t, 3))
			if out, err := u.install(); err != nil || out.Stage != bundle.Active {
				t.Errorf("the next one: %+v, %v", out, err)
			}
			u.inForce(3)
			if left, err := os.ReadDir(u.dir); err != nil || len(left) != 1 {
				t.Errorf("archives %v, %v", left, err)
			}
		})
	}
}

// talkOnly makes the rule one that only talks, so that nothing is left of what
// the floor wants.
func talkOnly(f fstest.MapFS, _ *archive.Manifest) {
	f["rules/a.yaml"].Data = []byte(`rules:
- id: door-2
  type: disclosure
  policy: The door is shut first.
  on: [{call: dose_co2, when: [{arg: "on", is: true}]}]
  if: [{field: door_open, is: true}]
  tell: [{value: {field: door_open}}]
  by: reply
  say: {en: The door is open.}
`)
	f["rules/a_test.yaml"].Data = []byte(`tests:
- name: the door is shut
  state: {door_open: false}
  turns:
  - draft: [{call: dose_co2, args: {"on": true}}]
    want: {silent: [door-2]}
- name: the door is open
  state: {door_open: true}
  turns:
  - draft: [{call: dose_co2, args: {"on": true}}]
    want: {fires: [door-2]}
`)
}

// A unit that becomes another one (a newer daemon) tries again what it had
// rejected.
func TestRejectedByAnOlderDaemon(t *testing.T) {
	u := newUnit(t, nil)
	u.vendor.Publish(pack(t, 2, "", func(_ fstest.MapFS, m *archive.Manifest) { m.Catalogues = []string{strings.Repeat("0", 64)} }))
	_, err := u.install()
	rejected(t, err, bundle.WhyCatalogue, "")
	u.options = func(o *bundle.Options) { o.Unit.Catalogue = strings.Repeat("0", 64) }
	u.boot()
	if out, err := u.Install(t.Context(), bundle.Request{By: "poll"}); err != nil || out.Stage != bundle.Active {
		t.Errorf("%+v, %v", out, err)
	}
}

// slowly plays a test so slowly that the deadline comes first.
type slowly struct{ rulestest.Plain }

func (s slowly) Begin(set *rules.Set, cat *vehicle.Catalog, c *rules.Case) (rulestest.Conversation, error) {
	talk, err := s.Plain.Begin(set, cat, c)
	return slowTalk{talk}, err
}

type slowTalk struct{ rulestest.Conversation }

func (s slowTalk) Turn(t *rules.CaseTurn) (rulestest.Outcome, error) {
	<-time.After(20 * time.Millisecond)
	return s.Conversation.Turn(t)
}

// A bundle whose tests never end is rejected at the deadline.
func TestNeverEndingTests(t *testing.T) {
	u := newUnit(t, func(o *bundle.Options) { o.Judge, o.Deadline = slowly{}, 50*time.Millisecond })
	u.vendor.Publish(pack(t, 2, "", func(f fstest.MapFS, _ *archive.Manifest) {
		var b strings.Builder
		b.Write(f["rules/a_test.yaml"].Data)
		for n := range 2000 {
			fmt.Fprintf(&b, "- name: again %d\n  state: {door_open: true}\n  turns:\n  - draft: [{call: dose_co2, args: {\"on\": true}}]\n    want: {fires: [door-2]}\n", n)
		}
		f["rules/a_test.yaml"].Data = []byte(b.String())
	}))
	_, err := u.install()
	rejected(t, err, bundle.WhyDeadline, "the tests did not end in time")
	u.inForce(1)
}

// Whoever asked goes away in the middle: the bundle is not to blame.
func TestAskerGoesAway(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	defer end()
	u := newUnit(t, func(o *bundle.Options) {
		o.At = func(moment string) {
			if moment == "after verified" {
				end()
			}
		}
	})
	u.vendor.Publish(good(t, 2))
	if _, err := u.Install(ctx, bundle.Request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	u.inForce(1)
	if out, err := u.Install(t.Context(), bundle.Request{By: "poll"}); err != nil || out.Revision != 2 {
		t.Errorf("%+v, %v", out, err)
	}
}

// Metadata that has expired, and a clock that is wrong, keep new bundles out and
// leave the active one in force.
func TestExpired(t *testing.T) {
	u := newUnit(t, nil)
	u.vendor.Publish(good(t, 2))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	u.now = u.now.Add(3 * 365 * 24 * time.Hour) // root too
	_, err := u.install()
	rejected(t, err, trust.Expired, "expired")
	u.boot()
	u.inForce(2)
	u.now = time.Unix(0, 0)
	u.boot()
	u.inForce(2)
	u.vendor.Publish(good(t, 3))
	if out, err := u.install(); err != nil || out.Revision != 3 {
		t.Errorf("at 1970: %+v, %v", out, err)
	}
	if h, err := u.History(1); err != nil || h[0].Time.Year() != 1970 {
		t.Errorf("%+v, %v", h, err)
	}
}

// A clock at 1970 on a unit that has never seen the repository is set by when
// the daemon was built.
func TestBuildTime(t *testing.T) {
	u := newUnit(t, nil)
	u.vendor.Publish(good(t, 2))
	u.now = time.Unix(0, 0)
	u.options = func(o *bundle.Options) { o.Built = u.vendor.Now.Add(60 * 24 * time.Hour) }
	u.boot()
	_, err := u.install()
	rejected(t, err, trust.Expired, "expired")
	u.inForce(1)
}

func TestNoRoot(t *testing.T) {
	u := newUnit(t, func(o *bundle.Options) { o.Anchor = nil })
	u.vendor.Publish(good(t, 2))
	_, err := u.install()
	rejected(t, err, bundle.WhyTrust, "bundles.root")
}

// A full disk, at whatever step, leaves the old bundle in force and the new one
// to be taken up when there is room again.
// A state folder that cannot be written takes nothing up, and starts with
// what it has; a bundle on probation is not begun with, because nobody could
// count its starts.
// A daemon that comes with a newer bundle decides by it although the disk keeps
// nothing any more, and goes back to nothing older.
// A folder that cannot be made is an error with its name.
// An archive that the disk has damaged is no bundle: the one before decides. It
// comes again where it is offered, and nothing else of its revision does.
// A store that keeps nothing goes on with the bundle before one that is lost.
// Of two installs at once one is told that it has to wait.
func TestTwoAtOnce(t *testing.T) {
	inside, goOn := make(chan struct{}), make(chan struct{})
	u := newUnit(t, func(o *bundle.Options) {
		o.At = func(moment string) {
			if moment == "before verified" {
				close(inside)
				<-goOn
			}
		}
	})
	u.vendor.Publish(good(t, 2))
	done := make(chan error, 1)
	go func() {
		_, err := u.install()
		done <- err
	}()
	<-inside
	for name, do := range map[string]func() error{
		"install":  func() error { _, err := u.install(); return err },
		"pin":      func() error { _, err := u.Pin(0, ""); return err },
		"unpin":    func() error { return u.Unpin("") },
		"rollback": func() error { return u.RollBack("") },
		"rebase":   func() error { _, err := u.Rebase(u.car(1)); return err },
	} {
		if err := do(); !errors.Is(err, bundle.ErrBusy) {
			t.Errorf("%s meanwhile: %v", name, err)
		}
	}
	if s := u.Status(); s.Candidate == nil || s.Candidate.Stage != bundle.Downloaded {
		t.Errorf("the status waits, or lies: %+v", s)
	}
	close(goOn)
	if err := <-done; err != nil {
		t.Error(err)
	}
	u.inForce(2)
}
