// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"context"
	"errors"
	"time"
)

// Updater looks for bundles while a daemon runs.
type Updater struct {
	Manager *Manager
	// Interval is the time between two looks at the configured source; 0: it is
	// only looked at when somebody asks.
	Interval time.Duration
	After    func(d time.Duration) <-chan time.Time // time.After
	// Failed is told why a look, or what is kept, failed; may be nil. The next
	// look is tried all the same.
	Failed func(error)

	wake  chan struct{}
	turns chan bool
}

// NewUpdater returns an updater that [Updater.Run] starts.
func NewUpdater(m *Manager, interval time.Duration) *Updater {
	return &Updater{Manager: m, Interval: interval, After: time.After, wake: make(chan struct{}, 1), turns: make(chan bool, 64)}
}

// Wake makes the updater look now. It carries nothing: whoever wakes it, by a
// notice over MQTT for example, says neither where to look nor what to take.
func (u *Updater) Wake() {
	select {
	case u.wake <- struct{}{}:
	default: // one look is enough for several notices
	}
}

// Turn tells that a turn has ended, see [Manager.Turn]. It never waits.
func (u *Updater) Turn(bad bool) {
	select {
	case u.turns <- bad:
	default: // the disk does not keep up; probation takes a turn longer
	}
}

// Times of the updater: how often time on probation is kept, and how long a
// look may take.
const (
	keepPause = 10 * time.Second
	lookTime  = 15 * time.Minute
)

// Run looks at the source, takes up what is staged, and keeps what the active
// bundle shows, until ctx ends.
func (u *Updater) Run(ctx context.Context) {
	var look <-chan time.Time
	if u.Interval > 0 {
		look = u.After(min(u.Interval, keepPause)) // soon after the start, but not in its way
	}
	keep := u.After(keepPause)
	for {
		select {
		case <-ctx.Done():
			return
		case bad := <-u.turns:
			u.failed(ctx, u.Manager.Turn(bad))
		case <-keep:
			keep = u.After(keepPause)
			u.failed(ctx, u.Manager.Lasted(keepPause))
			u.failed(ctx, u.Manager.Resume(ctx))
		case <-look:
			look = u.After(u.Interval)
			u.look(ctx, "poll")
		case <-u.wake:
			u.look(ctx, "notice")
		}
	}
}

func (u *Updater) look(ctx context.Context, by string) {
	if u.Manager.o.From == "" {
		return
	}
	ctx, end := context.WithTimeout(ctx, lookTime)
	defer end()
	_, err := u.Manager.Install(ctx, Request{By: by})
	u.failed(ctx, err)
}

func (u *Updater) failed(ctx context.Context, err error) {
	if err != nil && u.Failed != nil && ctx.Err() == nil && !errors.Is(err, ErrBusy) {
		u.Failed(err)
	}
}

// Resume takes up what is staged, if the system is between two turns now.
func (m *Manager) Resume(ctx context.Context) error {
	end, err := m.begin()
	if err != nil {
		return nil // it is being taken up
	}
	defer end()
	st := m.current()
	if st.Candidate == nil || st.Candidate.Stage != Staged || m.attached() == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, resumeTime)
	defer cancel()
	_, err = m.takeUp(ctx, outcome(st.Candidate))
	return err
}

// resumeTime is how long a moment between two turns is waited for.
const resumeTime = time.Second
