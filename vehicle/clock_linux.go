// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"time"

	"golang.org/x/sys/unix"
)

// readSuspended takes the difference of CLOCK_BOOTTIME, which goes on while the
// machine is suspended, and CLOCK_MONOTONIC, which stands still. A kernel that has
// no such clock has not been suspended.
func readSuspended() suspension {
	var before, boot, after unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &before) != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil ||
		unix.ClockGettime(unix.CLOCK_MONOTONIC, &after) != nil {
		return suspension{}
	}
	return suspension{least: time.Duration(boot.Nano() - after.Nano()), most: time.Duration(boot.Nano() - before.Nano())}
}
