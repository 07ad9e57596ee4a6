// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"time"
)

// Clock gives and passes time. Now must not run backwards: freshness is judged
// by it, so a wall clock must carry its monotonic reading (as [time.Now] does).
type Clock interface {
	Now() time.Time
	// Sleep returns after d, or the error of ctx if that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// WallClock is the clock of the machine.
type WallClock struct{}

// Now returns [time.Now].
func (WallClock) Now() time.Time { return time.Now() }

// Sleep waits for real.
func (WallClock) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
