// SPDX-License-Identifier: Apache-2.0

package systemd_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/systemd"
)

// A watchdog is fed while all loops turn, not while one hangs or says no, and
// again when it recovers.
func TestWatchdog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lock := make(chan struct{}, 1) // of a loop; holding it is a value in it
		var lost atomic.Pointer[error]
		probes := []systemd.Probe{
			{Name: "turns", Check: func() error { lock <- struct{}{}; <-lock; return nil }},
			{Name: "bus", Check: func() error {
				if e := lost.Load(); e != nil {
					return *e
				}
				return nil
			}},
		}
		ctx, end := context.WithCancel(t.Context())
		var fed atomic.Int32
		var said []string
		done := make(chan struct{})
		go func() {
			defer close(done)
			systemd.Watchdog(ctx, 10*time.Second, probes, func() { fed.Add(1) }, func(p string, err error) { said = append(said, p+": "+err.Error()) })
		}()
		feeds := func(name string, d time.Duration, want int) {
			t.Helper()
			before := fed.Load()
			time.Sleep(d)
			synctest.Wait()
			if got := int(fed.Load() - before); got != want {
				t.Errorf("%s: fed %d times in %v, want %d", name, got, d, want)
			}
		}
		synctest.Wait()
		if fed.Load() != 1 {
			t.Fatalf("fed %d times at the start", fed.Load())
		}
		time.Sleep(time.Second)
		feeds("all well", 20*time.Second, 4)
		lock <- struct{}{}
		feeds("a loop hangs", 60*time.Second, 0)
		<-lock
		feeds("it turns again", 20*time.Second, 5) // at once, too
		no := errors.New("gone")
		lost.Store(&no)
		feeds("a loop says no", 20*time.Second, 0)
		lost.Store(nil)
		feeds("and yes again", 10*time.Second, 2)
		lost.Store(&no)
		feeds("and no again", 10*time.Second, 0)
		end()
		<-done
		if d := cmp.Diff([]string{"turns: it does not answer", "bus: gone", "bus: gone"}, said); d != "" {
			t.Error(d)
		}
	})
}

// The watchdog ends while a probe hangs; the loop that hangs is not waited for.
func TestWatchdogEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		ctx, end := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			systemd.Watchdog(ctx, time.Second, []systemd.Probe{{Name: "x", Check: func() error { <-hang; return nil }}},
				func() { t.Error("fed") }, func(string, error) {})
		}()
		synctest.Wait()
		end()
		<-done
		close(hang)
	})
}

func TestWatchdogTime(t *testing.T) {
	for _, tc := range []struct {
		name, usec, pid string
		want            time.Duration
		bad             bool
	}{
		{"none", "", "", 0, false},
		{"ours", "10000000", strconv.Itoa(os.Getpid()), 10 * time.Second, false},
		{"of whoever", "500000", "", 500 * time.Millisecond, false},
		{"of another process", "500000", "1", 0, false},
		{"no number", "soon", "", 0, true},
		{"negative", "-1", "", 0, true},
	} {
		t.Setenv("WATCHDOG_USEC", tc.usec)
		t.Setenv("WATCHDOG_PID", tc.pid)
		got, err := systemd.WatchdogTime()
		if got != tc.want || (err != nil) != tc.bad {
			t.Errorf("%s: got %v, %v", tc.name, got, err)
		}
	}
}
