// SPDX-License-Identifier: Apache-2.0

package systemd_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/carguardd/carguardd/systemd"
)

func TestNotifier(t *testing.T) {
	m := newManager(t)
	var n systemd.Notifier
	for _, tc := range []struct {
		name string
		say  func() error
		want map[string]string
	}{
		{"ready", func() error { return n.Ready("all well") }, map[string]string{"READY": "1", "STATUS": "all well"}},
		{"another status", func() error { return n.Status("bus body down") }, map[string]string{"STATUS": "bus body down"}},
		{"a status in two lines", func() error { return n.Status("one\nREADY=0\n\r\ntwo") }, map[string]string{"STATUS": "one; READY=0; two"}},
		{"no text at all", func() error { return n.Status("a\xff\x00b") }, map[string]string{"STATUS": "a?; b"}},
		{"alive", n.Alive, map[string]string{"WATCHDOG": "1"}},
		{"more time", func() error { return n.Extend(2500 * time.Millisecond) }, map[string]string{"EXTEND_TIMEOUT_USEC": "2500000"}},
		{"stopping", n.Stopping, map[string]string{"STOPPING": "1", "STATUS": "stopping"}},
	} {
		if err := tc.say(); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if d := cmp.Diff(tc.want, m.next()); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, d)
		}
	}
	m.silent()
}

func TestStatusOnChangesOnly(t *testing.T) {
	m := newManager(t)
	var n systemd.Notifier
	for _, s := range []string{"a", "a", "b", "b\n", "a"} {
		if err := n.Status(s); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"a", "b", "a"} {
		if got := m.next()["STATUS"]; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	m.silent()
	if err := n.Status(strings.Repeat("ä", 1000)); err != nil {
		t.Fatal(err)
	}
	if got := m.next()["STATUS"]; len(got) > 410 || !utf8.ValidString(got) {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

// A unit of type notify-reload waits for a time that is not before its signal.
func TestReloadingTellsTheTime(t *testing.T) {
	m := newManager(t)
	now := func() int64 {
		var ts unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
			t.Fatal(err)
		}
		return ts.Nano() / 1000
	}
	before := now()
	if err := new(systemd.Notifier).Reloading(); err != nil {
		t.Fatal(err)
	}
	got := m.next()
	at, err := strconv.ParseInt(got["MONOTONIC_USEC"], 10, 64)
	if err != nil || got["RELOADING"] != "1" || at < before || at > now() {
		t.Errorf("got %v, began at %d: %v", got, before, err)
	}
}

func TestExtending(t *testing.T) {
	m := newManager(t)
	var n systemd.Notifier
	fails := errors.New("no disk")
	err := n.Extending(time.Millisecond, time.Hour, func() error {
		for range 3 {
			if got := m.next()["EXTEND_TIMEOUT_USEC"]; got != "2000" {
				t.Errorf("got %q", got)
			}
		}
		return fails
	})
	if !errors.Is(err, fails) {
		t.Errorf("got %v", err)
	}
}

// Work that hangs is not covered for ever.
func TestExtendingEnds(t *testing.T) {
	m := newManager(t)
	var n systemd.Notifier
	err := n.Extending(time.Millisecond, 3*time.Millisecond, func() error {
		for range 3 {
			m.next()
		}
		m.conn.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		if _, err := m.conn.Read(make([]byte, 100)); err == nil {
			t.Error("asked for more than the limit")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestNoServiceManager(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	var n systemd.Notifier
	for _, err := range []error{n.Ready("x"), n.Status("y"), n.Reloading(), n.Alive(), n.Extend(time.Second), n.Stopping()} {
		if err != nil {
			t.Error(err)
		}
	}
	t.Setenv("NOTIFY_SOCKET", t.TempDir()+"/nobody")
	if err := n.Ready("x"); err == nil || !strings.Contains(err.Error(), "notify the service manager") {
		t.Errorf("a manager that is gone: %v", err)
	}
}
