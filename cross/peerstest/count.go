// SPDX-License-Identifier: Apache-2.0

package peerstest

import "testing"

// What is counted.
const (
	Load   = "load held"          // done by the program, as it should be
	Fault  = "faults survived"    // a peer killed, a bus gone, a process ended
	Bad    = "bad inputs tried"   // each refused, and nothing else happened
	Losses = "losses and doubles" // what was lost or done twice; anything but 0 fails
)

// Count adds n to the table at the end of `make test-system`, under one of the
// kinds above. Losses that are not zero fail the test.
func Count(t testing.TB, kind, what string, n int) {
	t.Helper()
	t.Logf("count | %s | %s | %d", kind, what, n)
	if kind == Losses && n != 0 {
		t.Errorf("%s: %d, want none", what, n)
	}
}
