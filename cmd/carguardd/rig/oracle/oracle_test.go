// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"testing"
)

// length is how many turns a conversation has.
const length = 40

func TestPolicyHolds(t *testing.T) {
	turns := 10_000
	if testing.Short() {
		turns = 500
	}
	n := newTally()
	for i := range turns / length {
		c := conversation{seed: uint64(i), to: length}
		if f := c.run(t, n); f != nil {
			t.Fatal(f.shrink(t))
		}
	}
	t.Log(n)
}
