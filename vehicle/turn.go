// SPDX-License-Identifier: Apache-2.0

package vehicle

import "context"

// Turn is what execution has to know of the conversation turn that a call
// belongs to.
type Turn struct {
	// Epoch is the boundary's epoch when the turn began. After a stop nothing
	// of an older epoch moves anything.
	Epoch uint64
	// Guard is asked for each command right before it leaves.
	Guard func(Command) error
}

// WithLeft has left called once, as soon as the first commands of the next
// call with the context have left, so that the caller can begin another call
// while this one waits for its effect. It is not called when nothing leaves.
func WithLeft(ctx context.Context, left func()) context.Context {
	return context.WithValue(ctx, leftKey{}, left)
}

type leftKey struct{}

type turnKey struct{}

// Begin binds the calls that are made with the returned context to one turn
// that begins now: a stop ends its right to move anything, and guard, if not
// nil, is asked right before each command leaves.
func (e *Executor) Begin(ctx context.Context, guard func(Command) error) context.Context {
	epoch, _ := e.cfg.Writer.Epoch()
	return context.WithValue(ctx, turnKey{}, Turn{epoch, guard})
}

// WithGuard adds a guard to the turn of the context, for one call: both are
// asked.
func (e *Executor) WithGuard(ctx context.Context, guard func(Command) error) context.Context {
	t := e.turn(ctx)
	outer := t.Guard
	t.Guard = func(c Command) error {
		if outer != nil {
			if err := outer(c); err != nil {
				return err
			}
		}
		return guard(c)
	}
	return context.WithValue(ctx, turnKey{}, t)
}

// turn returns the turn of the context; a call without one is a turn of its
// own.
func (e *Executor) turn(ctx context.Context) Turn {
	if t, ok := ctx.Value(turnKey{}).(Turn); ok {
		return t
	}
	epoch, _ := e.cfg.Writer.Epoch()
	return Turn{Epoch: epoch}
}
