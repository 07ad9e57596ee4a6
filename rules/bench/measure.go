// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"slices"
	"time"
)

// Figure is what one thing costs.
type Figure struct {
	Name   string        `json:"name"`
	N      int           `json:"n"` // rules, or calls of history
	Median time.Duration `json:"median_ns"`
	P95    time.Duration `json:"p95_ns"`
	Budget time.Duration `json:"budget_ns,omitempty"` // what it may cost on our own machines
}

// Clock is monotonic time.
type Clock func() time.Duration

// sample runs f count times, each long enough to be measured, and returns the
// times of one run.
func sample(now Clock, count int, f func() error) (median, p95 time.Duration, err error) {
	const least = 20 * time.Microsecond
	repeat := 1
	for { // also warms up
		begin := now()
		for range repeat {
			if err := f(); err != nil {
				return 0, 0, err
			}
		}
		if now()-begin >= least || repeat >= 1<<16 {
			break
		}
		repeat *= 2
	}
	times := make([]time.Duration, max(count, 1))
	for i := range times {
		begin := now()
		for range repeat {
			if err := f(); err != nil {
				return 0, 0, err
			}
		}
		times[i] = (now() - begin) / time.Duration(repeat)
	}
	slices.Sort(times)
	return times[len(times)/2], times[min(len(times)-1, len(times)*95/100)], nil
}
