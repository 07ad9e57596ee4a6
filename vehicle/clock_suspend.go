// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"sync"
	"time"
)

// suspension is how long the machine had been suspended since it was started. Two
// clocks that are not read at the same moment say it only to within bounds.
type suspension struct{ least, most time.Duration }

// slept is the time of suspensions since a clock was made.
type slept struct {
	read  func() suspension
	start time.Duration // at most, when the clock was made

	mu   sync.Mutex
	last time.Duration // of the clock's time awake, when read
	sum  time.Duration
}

// sleptEvery is how often it is asked. It is less than it takes to stop a machine
// and to wake it, so that no suspension is missed.
const sleptEvery = time.Millisecond

// until returns the time of suspensions until the clock has been awake for so
// long. It is exactly 0 until there was one, and never less than before.
func (s *slept) until(awake time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if awake-s.last >= sleptEvery {
		s.last = awake
		s.sum = max(s.sum, s.read().least-s.start)
	}
	return s.sum
}
