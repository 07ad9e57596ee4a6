// SPDX-License-Identifier: Apache-2.0

package systemd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// Probe asks whether one loop of the daemon still turns.
type Probe struct {
	Name string
	// Check returns why the loop does not turn, or nil. It goes through the
	// locks that the loop itself takes, so that it hangs when the loop does; a
	// check that does not return counts as a failure. It may be called from a
	// new goroutine each time, but not again before it has returned.
	Check func() error
}

// WatchdogTime is how often the service manager wants a sign of life at the
// latest; zero when it wants none.
func WatchdogTime() (time.Duration, error) {
	d, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		return 0, fmt.Errorf("watchdog: %w", err)
	}
	return d, nil
}

// ErrHangs is what a probe is said to have when it did not answer in time.
var ErrHangs = errors.New("it does not answer")

// Watchdog calls alive, once at first and then every half of limit, as long as
// all probes answer, until ctx ends. When one does not it calls failed with
// the reason instead, once for each time that its state changes, so that the
// log says what the service manager is about to end the daemon for. Limit must
// be positive.
func Watchdog(ctx context.Context, limit time.Duration, probes []Probe, alive func(), failed func(probe string, err error)) {
	tick := time.NewTicker(limit / 2)
	defer tick.Stop()
	w := make([]watched, len(probes))
	for i, p := range probes {
		w[i].Probe = p
	}
	for {
		ok := true
		// All are asked at once: one that hangs must not cost the others' time.
		for i := range w {
			w[i].ask()
		}
		wait := time.NewTimer(limit / 4)
		for i := range w {
			err := w[i].answer(ctx, wait.C)
			if ctx.Err() != nil {
				break
			}
			if err != nil && w[i].last == nil {
				failed(w[i].Name, err)
			}
			w[i].last = err
			ok = ok && err == nil
		}
		wait.Stop()
		if ctx.Err() != nil {
			return
		}
		if ok {
			alive()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// watched is a probe with the question that is under way.
type watched struct {
	Probe
	asked chan error // nil: no question is under way
	last  error
}

// ask begins a question unless the last one was not answered yet: a loop that
// hangs costs one goroutine, not one for each round.
func (w *watched) ask() {
	if w.asked != nil {
		return
	}
	asked := make(chan error, 1)
	w.asked = asked
	go func() { asked <- w.Check() }()
}

// answer waits for the answer. Once the timer has fired it takes what is
// there.
func (w *watched) answer(ctx context.Context, late <-chan time.Time) error {
	select {
	case err := <-w.asked:
		w.asked = nil
		return err
	default:
	}
	select {
	case err := <-w.asked:
		w.asked = nil
		return err
	case <-late:
		return ErrHangs
	case <-ctx.Done():
		return nil
	}
}
