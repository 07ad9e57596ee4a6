// SPDX-License-Identifier: Apache-2.0

package vehicle

import "testing"

// Every frame that is taken in asks what time it is.
func BenchmarkMono(b *testing.B) {
	b.ReportAllocs()
	c := NewSystemClock()
	for b.Loop() {
		c.Mono()
	}
}
