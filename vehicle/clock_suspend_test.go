// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"testing"
	"testing/synctest"
	"time"
)

// The time of a suspension counts, and what two clocks that are not read at once
// differ by does not.
func TestClockCountsSuspension(t *testing.T) {
	const us = time.Microsecond
	const night = 8 * time.Hour
	synctest.Test(t, func(t *testing.T) {
		now := suspension{time.Hour - us, time.Hour + us} // before the clock was made
		c := newSystemClock(func() suspension { return now })
		for _, step := range []struct {
			name        string
			least, most time.Duration
			want        time.Duration // besides the time awake
		}{
			{"awake", time.Hour - us, time.Hour + us, 0},
			{"awake, read slowly", time.Hour - time.Second, time.Hour + time.Second, 0},
			{"after a night", time.Hour + night - 3*us, time.Hour + night + us, night - 4*us},
			{"after a night, read slowly", time.Hour + night - time.Second, time.Hour + night, night - 4*us},
			{"after a night, read better", time.Hour + night, time.Hour + night, night - us},
			{"after another", time.Hour + 2*night, time.Hour + 2*night, 2*night - us},
		} {
			now = suspension{step.least, step.most}
			time.Sleep(time.Second)
			if got := c.Mono() - time.Since(c.start); got != step.want {
				t.Errorf("%s: %v, want %v", step.name, got, step.want)
			}
		}
	})
}

// The kernel's clocks are read in the right order and are the right ones.
func TestReadSuspended(t *testing.T) {
	a := readSuspended()
	b := readSuspended()
	if a.least > a.most || b.least > b.most || a.most < 0 || b.most < a.least {
		t.Errorf("%+v, then %+v", a, b)
	}
}
