// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"testing"
)

// chapter is how many turns of a drive are one conversation.
const chapter = 25

// TestPolicyHolds watches a student that calls tools at random, well and
// badly, with a driver who says yes to a third of the questions.
func TestPolicyHolds(t *testing.T) {
	turns, length, least := 10_000, 250, 50
	if testing.Short() {
		turns, length, least = 500, 50, 1
	}
	n := newTally()
	ids := policyRules(t)
	for i := range turns / length {
		c := conversation{seed: uint64(i), to: length}
		if i%2 == 1 { // every second one is about something
			c.stress = stresses[ids[i/2%len(ids)]]
		}
		if f := c.run(t, n); f != nil {
			t.Fatal(f.shrink(t))
		}
	}
	t.Log(n)
	if 10*n.executed < 3*n.drafted {
		t.Errorf("%d of %d valid writes were carried out, want 30 %%", n.executed, n.drafted)
	}
	for _, id := range ids {
		if n.fired[id] < least {
			t.Errorf("rule %s spoke in %d turns, want %d", id, n.fired[id], least)
		}
	}
}
