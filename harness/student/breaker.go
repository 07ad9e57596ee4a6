// SPDX-License-Identifier: Apache-2.0

package student

import "time"

// breaker remembers for how long a student that was down is left alone. It
// opens after a number of failures in a row, for a time that doubles with
// each further failure. Times are of a monotonic clock.
type breaker struct {
	after    int           // failures that open it
	first    time.Duration // how long it stays open the first time
	longest  time.Duration // and at most
	failures int
	until    time.Duration
}

// open reports whether the student is to be left alone.
func (b *breaker) open(now time.Duration) bool { return b.failures >= b.after && now < b.until }

// tripped reports whether the next attempt is a trial: it was open, and its
// time is over.
func (b *breaker) tripped(now time.Duration) bool { return b.failures >= b.after && now >= b.until }

func (b *breaker) success() { b.failures = 0 }

func (b *breaker) failure(now time.Duration) {
	b.failures++
	if b.failures < b.after {
		return
	}
	wait := b.first
	for range b.failures - b.after {
		if wait *= 2; wait >= b.longest {
			break
		}
	}
	b.until = now + min(wait, b.longest)
}
