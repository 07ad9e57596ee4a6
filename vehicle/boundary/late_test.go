// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
)

// sleeperClock is the clock of a machine that was suspended: its time has gone on,
// its timers have not.
type sleeperClock struct {
	vehicle.Clock
	slept atomic.Int64
}

func (c *sleeperClock) Mono() time.Duration { return c.Clock.Mono() + time.Duration(c.slept.Load()) }

// What was held before the machine was suspended is not said again after it, but
// released.
func TestHoldOverASuspension(t *testing.T) {
	for _, c := range []struct {
		name    string
		slept   time.Duration
		frames  string
		dropped uint64
	}{
		{"none", 0, "20:001#07AA 40:001#07AA 60:001#FFAA", 0},
		{"a moment", 900 * time.Millisecond, "20:001#07AA 40:001#07AA 60:001#FFAA", 0},
		{"a night", 8 * time.Hour, "20:001#FFAA", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := &sleeperClock{}
			set := func(_ *vehicle.Profile, cfg *boundary.Config) {
				clock.Clock = cfg.Clock
				cfg.Clock = clock
			}
			onCycle(t, set, func(t *testing.T, b *cycler) {
				b.write(t, "wiper", 7)
				b.take()
				clock.slept.Store(int64(c.slept))
				b.want(t, 500, c.frames)
				if s := b.Stats(); s.Held != 0 || s.Dropped != c.dropped {
					t.Errorf("counted %+v", s)
				}
			})
		})
	}
}
