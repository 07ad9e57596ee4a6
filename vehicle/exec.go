// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"context"
	"fmt"
	"time"
)

// DefaultSettle is how long the effect of a command is waited for when its
// signal does not say.
const DefaultSettle = 5 * time.Second

// ExecutorConfig is what an executor works with.
type ExecutorConfig struct {
	Live     *Live
	Clock    Clock
	Writer   Writer             // the boundary
	Services map[string]Service // by the profile's names
}

// Executor carries out calls on a car and its services, and says what came of
// them. It keeps nothing between calls: what was under way when the program
// ended is never sent again.
type Executor struct {
	cfg     ExecutorConfig
	profile *Profile
}

// NewExecutor returns an executor for the car whose live state is given.
func NewExecutor(cfg ExecutorConfig) *Executor {
	return &Executor{cfg: cfg, profile: cfg.Live.Profile()}
}

// Do carries out one call and returns when its effect was observed, when it
// was refused or failed, when its deadline passed, or when ctx ended. A write
// whose frame left and whose effect was not observed is [Unconfirmed]. A value
// that already is exactly where the call wants it, freshly observed and at
// rest, is not sent again: the call is Done, with the observation in its trace
// and no frame. Several calls may be under way at once.
func (e *Executor) Do(ctx context.Context, c Call) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			r = fail("internal error: %v", p)
		}
		r.CallID, r.Tool, r.At = c.ID, c.Tool, e.cfg.Clock.Now()
	}()
	t := e.profile.Tool(c.Tool)
	switch {
	case t == nil:
		return fail("the vehicle has no tool %q", c.Tool)
	case c.Raw != "" || (c.Args.Kind() != Object && c.Args.Kind() != Unknown):
		return fail("the arguments are no object")
	case ctx.Err() != nil:
		return fail("given up before anything was done: %v", context.Cause(ctx))
	}
	if c.Args.Kind() == Unknown {
		c.Args = ObjectOf()
	}
	if bad := t.Input.Validate(c.Args); len(bad) > 0 {
		return fail("argument %s: %s", bad[0].Path, bad[0].Text)
	}
	switch {
	case t.Service != "":
		return e.serve(ctx, t, &c)
	case t.Access == Read:
		return e.read(t, c.Args)
	case t.Access == Noop:
		return Result{Status: Done, Value: ObjectOf()}
	}
	return e.write(ctx, t, &c)
}

// Live fills dst with what is observed now; what is stale or was never seen is
// unknown.
func (e *Executor) Live(dst State) { copy(dst, e.cfg.Live.Snapshot(dst)) }

// Stop ends every movement at once.
func (e *Executor) Stop(ctx context.Context) error {
	_, err := e.Halt(ctx)
	return err
}

// Halt is Stop that also says what was sent.
func (e *Executor) Halt(ctx context.Context) ([]Trace, error) { return e.cfg.Writer.Stop(ctx) }

func fail(format string, args ...any) Result {
	return Result{Status: Failed, Reason: fmt.Sprintf(format, args...)}
}
