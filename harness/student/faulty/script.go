// SPDX-License-Identifier: Apache-2.0

package faulty

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/reply"
	"github.com/carguardd/carguardd/vehicle"
)

// Step is one draft of a script.
type Step func(ctx context.Context, p *harness.Prompt) (harness.Draft, error)

// Scripted is a student that follows a script.
type Scripted struct {
	mu    sync.Mutex
	steps []Step
	asked int
}

var _ harness.Student = (*Scripted)(nil)

// Script returns a student that takes the steps in order and repeats the
// last one. Without steps it fails with kind Empty.
func Script(steps ...Step) *Scripted { return &Scripted{steps: steps} }

// Name is "scripted".
func (s *Scripted) Name() string { return "scripted" }

// Asked returns how many drafts were asked for.
func (s *Scripted) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Draft takes the next step.
func (s *Scripted) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	s.mu.Lock()
	s.asked++
	step := Fail(student.Empty)
	if len(s.steps) > 0 {
		step = s.steps[0]
	}
	if len(s.steps) > 1 {
		s.steps = s.steps[1:]
	}
	s.mu.Unlock()
	d, err := step(ctx, p)
	d.Student = s.Name()
	d.Usage.ModelCalls = 1
	return d, student.Named(s.Name(), err)
}

// Draft is a step that drafts d, as it is: it may be empty.
func Draft(d harness.Draft) Step {
	return func(context.Context, *harness.Prompt) (harness.Draft, error) { return d, nil }
}

// Say is a step that speaks.
func Say(text string) Step { return Draft(harness.Draft{Text: text}) }

// Nothing is a step that drafts neither text nor calls, without an error.
func Nothing() Step { return Draft(harness.Draft{}) }

// Call is a step that calls a tool once with arguments written as JSON.
func Call(tool, args string) Step { return Repeat(tool, args, 1) }

// Repeat is a step that makes the same call n times in one draft.
func Repeat(tool, args string, n int) Step {
	return func(_ context.Context, p *harness.Prompt) (harness.Draft, error) {
		var d harness.Draft
		for range n {
			d.Calls = append(d.Calls, reply.New("", tool, []byte(args)))
		}
		reply.Identify(p, d.Calls)
		return d, nil
	}
}

// Calls is a step that makes several calls. Those without an identifier get
// one; others keep theirs, even twice the same.
func Calls(calls ...vehicle.Call) Step {
	return func(_ context.Context, p *harness.Prompt) (harness.Draft, error) {
		d := harness.Draft{Calls: append([]vehicle.Call(nil), calls...)}
		for i := range d.Calls {
			if d.Calls[i].ID == "" {
				reply.Identify(p, d.Calls[i:i+1])
			}
		}
		return d, nil
	}
}

// Long is a step that says n bytes.
func Long(n int) Step { return Say(strings.Repeat("and then ", n/9+1)[:n]) }

// Fail is a step that fails.
func Fail(k student.Kind) Step {
	return func(context.Context, *harness.Prompt) (harness.Draft, error) {
		return harness.Draft{}, student.Errorf(k, nil, "as the script says")
	}
}

// Panic is a step that panics.
func Panic(v any) Step {
	return func(context.Context, *harness.Prompt) (harness.Draft, error) { panic(v) }
}

// Hang is a step that answers when the context ends, and not before.
func Hang() Step {
	return func(ctx context.Context, _ *harness.Prompt) (harness.Draft, error) {
		<-ctx.Done()
		if context.Cause(ctx) == context.DeadlineExceeded {
			return harness.Draft{}, student.Errorf(student.Timeout, ctx.Err())
		}
		return harness.Draft{}, student.Errorf(student.Cancelled, ctx.Err())
	}
}

// Late is a step that takes another one after d, whether anybody waits for it
// or not.
func Late(clock vehicle.Clock, d time.Duration, s Step) Step {
	return func(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
		<-clock.After(d)
		return s(context.WithoutCancel(ctx), p)
	}
}
