// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// Mode is how much of the harness stands around a student.
type Mode string

// The modes of a live run.
const (
	ModeNone  Mode = "none"  // nothing: what the student calls is carried out, what it says is spoken
	ModeGates Mode = "gates" // the gates alone, at the action boundary: a refused call's result says why
	ModeFull  Mode = "full"  // the whole turn: repair, revision, questions, reports
)

// Modes are all modes.
func Modes() []Mode { return []Mode{ModeNone, ModeGates, ModeFull} }

// Setup is one configuration that is measured.
type Setup struct {
	Name string // in reports
	Mode Mode
	// Student makes the student of one trial of a task, trials counted from 0.
	Student func(t *sim.Task, trial int) (harness.Student, error)
	// Adjust changes what a session in mode full is built from; nil: nothing.
	Adjust func(p *harness.Parts)
}

// Live runs tasks with a student that drafts as it goes and a driver who
// answers. Kit, Tasks and User must be given.
type Live struct {
	Kit    *Kit
	Tasks  []*sim.Task
	Trials int // of each task; 1
	// User makes the driver of one trial of a task, trials counted from 0.
	User func(t *sim.Task, trial int) (User, error)

	Driver   string // who the driver is, in reports
	Turns    int    // utterances of one conversation at most; 20
	Steps    int    // drafts of one turn at most; 16
	Jobs     int    // conversations at a time; 1
	Keep     bool   // what was said and called stays in the report
	Seed     uint64
	Now      func() time.Time // to measure how long turns take; nil: time.Now
	Progress func(done, of int)
}

func (l *Live) defaults() {
	def := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	def(&l.Trials, 1)
	def(&l.Turns, 20)
	def(&l.Steps, 16)
	def(&l.Jobs, 1)
	if l.Now == nil {
		l.Now = time.Now
	}
}

// Run measures the setups, each on the same tasks and trials, one setup after
// the other. When it is cut short, by ctx or by a student that is down, the
// report holds what was finished until then, and the error says why.
func (l *Live) Run(ctx context.Context, setups ...Setup) (*LiveReport, error) {
	l.defaults()
	if len(l.Tasks) == 0 {
		return nil, errors.New("no task is to be run")
	}
	each := len(l.Tasks) * l.Trials
	var done atomic.Int64
	rep := &LiveReport{Tasks: len(l.Tasks), Trials: l.Trials, Driver: l.Driver, Seed: l.Seed}
	var failed error
	for i := range setups {
		s := &setups[i]
		out := make([]*Trial, each)
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(l.Jobs)
		for n := range each {
			g.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				t := l.Tasks[n/l.Trials]
				r, err := l.trial(ctx, s, t, n%l.Trials)
				if err != nil {
					return fmt.Errorf("%s, trial %d: %w", t.ID, n%l.Trials+1, err)
				}
				out[n] = r
				if l.Progress != nil {
					l.Progress(int(done.Add(1)), each*len(setups))
				}
				return nil
			})
		}
		failed = g.Wait()
		rep.add(s, out)
		if failed != nil {
			rep.CutShort = failed.Error()
			break
		}
	}
	if err := rep.finish(l.Seed); err != nil {
		return rep, errors.Join(failed, err)
	}
	return rep, failed
}
