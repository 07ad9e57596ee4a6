// SPDX-License-Identifier: Apache-2.0

package bundle_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules/bundle"
)

// ticker hands out the channels of an updater's waits, by their length.
type ticker struct {
	waits map[time.Duration]chan time.Time
}

func (k *ticker) after(d time.Duration) <-chan time.Time {
	if k.waits[d] == nil {
		k.waits[d] = make(chan time.Time, 1)
	}
	return k.waits[d]
}

// run runs an updater until the test has done what it does.
func run(t *testing.T, u *unit, interval time.Duration, do func(up *bundle.Updater, k *ticker, failures <-chan error)) {
	t.Helper()
	k := &ticker{waits: map[time.Duration]chan time.Time{interval: make(chan time.Time, 1), 10 * time.Second: make(chan time.Time, 1)}}
	failures := make(chan error, 16)
	up := bundle.NewUpdater(u.Manager, interval)
	up.After, up.Failed = k.after, func(err error) { failures <- err }
	ctx, end := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); up.Run(ctx) }()
	do(up, k, failures)
	end()
	<-done
}

// await waits for a transition.
func (u *unit) await(to string, revision int) {
	u.t.Helper()
	for {
		u.mu.Lock()
		for _, e := range u.events {
			if e.To == to && e.Revision == revision {
				u.mu.Unlock()
				return
			}
		}
		u.mu.Unlock()
		select {
		case <-u.t.Context().Done():
			u.t.Fatalf("revision %d was never %s", revision, to)
		case <-time.After(time.Millisecond):
		}
	}
}

// A notice makes the updater look at its own source, and so does the time; both
// bring what is there, and a failure does not end them.
func TestUpdater(t *testing.T) {
	u := newUnit(t, nil)
	run(t, u, time.Hour, func(up *bundle.Updater, k *ticker, failures <-chan error) {
		u.vendor.Publish(good(t, 2))
		up.Wake()
		up.Wake()
		u.await("active", 2)
		if h, err := u.History(1); err != nil || h[0].By != "notice" {
			t.Errorf("%+v, %v", h, err)
		}
		// What turns show is counted there too.
		for range 3 {
			up.Turn(false)
		}
		for range 8 { // one of them is the first look's
			k.waits[10*time.Second] <- time.Time{}
		}
		u.await("good", 2)

		u.set(u.now.Add(5 * 365 * 24 * time.Hour))
		up.Wake()
		if err := <-failures; !strings.Contains(err.Error(), "expired") {
			t.Errorf("%v", err)
		}
		u.set(u.vendor.Now.Add(2 * time.Hour))
		u.vendor.Publish(good(t, 3))
		k.waits[time.Hour] <- time.Time{}
		up.Wake()
		u.await("active", 3)
	})
	u.inForce(3)
}

// Without a source nobody looks, whoever sends notices.
func TestUpdaterWithoutSource(t *testing.T) {
	u := newUnit(t, func(o *bundle.Options) { o.From = "" })
	run(t, u, 0, func(up *bundle.Updater, k *ticker, failures <-chan error) {
		u.vendor.Publish(good(t, 2))
		up.Wake()
		k.waits[10*time.Second] <- time.Time{}
		k.waits[10*time.Second] <- time.Time{}
		select {
		case err := <-failures:
			t.Error(err)
		default:
		}
	})
	u.inForce(1)
}

// Nothing is lost when what a power cut left lies in the folder.
func TestUnfinishedFiles(t *testing.T) {
	u := newUnit(t, nil)
	u.vendor.Publish(good(t, 2))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".unfinished-123", strings.Repeat("0", 64) + ".cgb"} {
		if err := bundle.WriteFile(u.dir+"/"+name, []byte("half")); err != nil {
			t.Fatal(err)
		}
	}
	u.boot()
	u.inForce(2)
	left := u.archives()
	if len(left) != 1 || left[0] != u.Status().SHA256+".cgb" {
		t.Errorf("left: %v", left)
	}
}

// A state that cannot be read is an error, not an empty one.
func TestUnreadableState(t *testing.T) {
	u := newUnit(t, nil)
	if err := u.store.Put(bundle.Entry{Key: "bundle/state", Value: []byte("{")}); err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Open(u.lastOptions()); err == nil || !strings.Contains(err.Error(), "read the state of bundles") {
		t.Errorf("%v", err)
	}
	if _, err := bundle.Open(bundle.Options{}); err == nil {
		t.Error("a manager of nothing")
	}
}

// What is known of the repository guards against older ones: without it nothing
// is taken up.
func TestUnreadableTrust(t *testing.T) {
	u := newUnit(t, nil)
	u.vendor.Publish(good(t, 2))
	if err := u.store.Put(bundle.Entry{Key: "bundle/trust/highest", Value: []byte("{")}); err != nil {
		t.Fatal(err)
	}
	var rejected *bundle.RejectedError
	if _, err := u.install(); err == nil || errors.As(err, &rejected) || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("%v", err)
	}
	u.inForce(1)
}
