// SPDX-License-Identifier: Apache-2.0

package system

import (
	"context"

	"github.com/carguardd/carguardd/vehicle"
)

// car is the executor as the harness sees it.
type car struct{ s *System }

func (c car) Do(ctx context.Context, call vehicle.Call) vehicle.Result {
	return c.s.Executor.Do(ctx, call)
}

func (c car) Live(dst vehicle.State) { c.s.Executor.Live(dst) }

func (c car) Stop(ctx context.Context) error { return c.s.Executor.Stop(ctx) }

// Start sends a call and waits for its effect in the background, so that
// calls which do not depend on each other are under way together. It returns
// when the call's first command has left, or when none will.
func (c car) Start(ctx context.Context, call vehicle.Call) func() vehicle.Result {
	left := make(chan struct{})
	done := make(chan vehicle.Result, 1)
	go func() { done <- c.s.Executor.Do(vehicle.WithLeft(ctx, func() { close(left) }), call) }()
	select {
	case <-left:
		return func() vehicle.Result { return <-done }
	case r := <-done:
		return func() vehicle.Result { return r }
	}
}
