// SPDX-License-Identifier: Apache-2.0

package vehicletest

import "time"

// Leap turns the clock forwards by d at once, as if nobody had looked in
// between: what fell due on the way fires once, in order, at the new time. A
// function that starts its timer anew, as a cycle does, fires once for all the
// cycles that were skipped. It must not be called from a function of
// AfterFunc.
func (c *Clock) Leap(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mono += d
	for end := c.mono; ; {
		if t := c.next(); t == nil || t.at > end || !c.fireNext(end) {
			return
		}
	}
}
