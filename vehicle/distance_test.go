// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/vehicle"
)

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		name, a, b  string
		limit, want int
	}{
		{"the same", "door", "door", 9, 0},
		{"nothing at all", "", "", 9, 0},
		{"all of it", "", "door", 9, 4},
		{"one replaced", "door", "doer", 9, 1},
		{"two swapped", "status", "stauts", 9, 2},
		{"one left out, one put in", "kitten", "itten!", 9, 2},
		{"a letter of two bytes", "tür", "tur", 9, 1},
		{"at the limit", "abc", "xyz", 3, 3},
		{"beyond it", "abcd", "wxyz", 3, 3},
		{"far too long", strings.Repeat("a", 1<<20), "door", 3, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := vehicle.Distance(tc.a, tc.b, tc.limit); got != tc.want {
				t.Errorf("distance %d, want %d", got, tc.want)
			}
		})
	}
}

// It is a distance: nothing between the same words, the same both ways, no
// shorter by a detour, and a limit cuts it and nothing else.
func TestDistanceIsADistance(t *testing.T) {
	word := rapid.StringMatching(`[abä]{0,7}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		const far = 99
		ab := vehicle.Distance(a, b, far)
		if (ab == 0) != (a == b) || ab != vehicle.Distance(b, a, far) || ab > vehicle.Distance(a, c, far)+vehicle.Distance(c, b, far) {
			t.Fatalf("%q %q %q: %d", a, b, c, ab)
		}
		if limit := rapid.IntRange(1, 9).Draw(t, "limit"); vehicle.Distance(a, b, limit) != min(ab, limit) {
			t.Fatalf("%q %q: %d, and %d with limit %d", a, b, ab, vehicle.Distance(a, b, limit), limit)
		}
	})
}
