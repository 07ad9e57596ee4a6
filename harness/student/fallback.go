// SPDX-License-Identifier: Apache-2.0

package student

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// Checker is a student that can say quickly whether it would answer. Health
// returns nil or an [Error]; it costs no draft and returns by ctx's deadline.
type Checker interface {
	Health(ctx context.Context) error
}

// FallbackOptions say when the standby takes over. Zero values mean the
// default.
type FallbackOptions struct {
	Failures int           // failures in a row after which the primary is left alone; 2
	Rest     time.Duration // for how long at first, doubling with each further failure; 5 s
	MaxRest  time.Duration // and at most; 1 min
	Health   time.Duration // how long a health check may take; 300 ms
	Reserve  time.Duration // of a draft's time, kept for the standby; 250 ms
	// Switched is called when another student answers than before, with the
	// failure, or nil when the primary is back. It must not block.
	Switched func(to harness.Student, err error)
}

// Fallback is a student that asks a primary and, when that is down, a
// standby. An answer of the primary that is merely no use is returned as the
// error that it is: the standby would not know better what was meant.
type Fallback struct {
	primary, standby harness.Student
	clock            vehicle.Clock
	o                FallbackOptions

	mu      sync.Mutex // guards everything that follows
	breaker breaker
	down    error // why the standby answers; nil: it does not
	told    error // the failure the driver was told about; nil: none
}

var _ harness.Student = (*Fallback)(nil)

// NewFallback returns a student that asks primary first and standby when the
// primary is down.
func NewFallback(primary, standby harness.Student, clock vehicle.Clock, o FallbackOptions) *Fallback {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&o.Rest, 5*time.Second)
	def(&o.MaxRest, time.Minute)
	def(&o.Health, 300*time.Millisecond)
	def(&o.Reserve, 250*time.Millisecond)
	if o.Failures == 0 {
		o.Failures = 2
	}
	return &Fallback{primary: primary, standby: standby, clock: clock, o: o,
		breaker: breaker{after: o.Failures, first: o.Rest, longest: o.MaxRest}}
}

// Name is the name of the student that answers at present.
func (f *Fallback) Name() string {
	if f.Down() != nil {
		return f.standby.Name()
	}
	return f.primary.Name()
}

// Primary is the student that is asked first.
func (f *Fallback) Primary() harness.Student { return f.primary }

// Down returns why the standby answers at present, or nil when it does not.
func (f *Fallback) Down() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.down
}

// Notice returns what the driver has not been told yet about who answers,
// once for each change, or an empty text.
func (f *Fallback) Notice(lang string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	down := f.down
	switch {
	case (down == nil) == (f.told == nil):
		return ""
	case down != nil:
		f.told = down
		return Sentence(down, lang) + " " + notices[base(lang)][0]
	}
	f.told = nil
	return notices[base(lang)][1]
}

// Draft asks the primary unless it rests, and the standby when the primary is
// down.
func (f *Fallback) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	err := f.available(ctx)
	if err == nil {
		var d harness.Draft
		if d, err = f.ask(ctx, p); !Down(err) {
			if KindOf(err) != Cancelled {
				f.switched(nil)
			}
			return d, err
		}
	}
	if ctx.Err() != nil {
		return harness.Draft{}, err
	}
	f.switched(err)
	d, serr := f.standby.Draft(ctx, p)
	if serr != nil {
		return d, errors.Join(serr, err)
	}
	return d, nil
}

// available returns why the primary is not to be asked. After a rest it looks
// first whether anybody is there.
func (f *Fallback) available(ctx context.Context) error {
	f.mu.Lock()
	open, trial, down := f.breaker.open(f.clock.Mono()), f.breaker.tripped(f.clock.Mono()), f.down
	f.mu.Unlock()
	c, ok := f.primary.(Checker)
	switch {
	case open:
		return down
	case !trial || !ok:
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, f.o.Health)
	defer cancel()
	err := c.Health(ctx)
	if err != nil {
		f.count(err)
	}
	return err
}

// ask asks the primary within the time that leaves the standby its reserve.
func (f *Fallback) ask(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	if at, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, at.Add(-f.o.Reserve))
		defer cancel()
	}
	d, err := f.primary.Draft(ctx, p)
	f.count(err)
	return d, err
}

func (f *Fallback) count(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if Down(err) {
		f.breaker.failure(f.clock.Mono())
	} else {
		f.breaker.success()
	}
}

// switched notes why the standby answers, or that it does not.
func (f *Fallback) switched(err error) {
	f.mu.Lock()
	changed := (f.down == nil) != (err == nil)
	f.down = err
	f.mu.Unlock()
	if !changed || f.o.Switched == nil {
		return
	}
	to := f.primary
	if err != nil {
		to = f.standby
	}
	f.o.Switched(to, err)
}
