// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"testing"
	"time"
)

func TestElapsed(t *testing.T) {
	from := time.Now()
	for _, tc := range []struct {
		name string
		to   time.Time
		want time.Duration
	}{
		{"awake", from.Add(time.Minute), time.Minute},
		{"suspended: only the wall's clock went on", from.Round(0).Add(9 * time.Hour), 9 * time.Hour},
		{"the same moment", from, 0},
	} {
		if got := elapsed(from, tc.to); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}
