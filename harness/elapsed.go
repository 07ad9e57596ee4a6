// SPDX-License-Identifier: Apache-2.0

package harness

import "time"

// elapsed is the time between two moments, the longer of what the clock on the
// wall and what the running machine says. The machine's own clock stands still
// while it is suspended, and the wall's may be set back: what a driver was asked
// before the night is old in the morning by one of the two.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}
