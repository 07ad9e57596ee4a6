// SPDX-License-Identifier: Apache-2.0

package faulty

import "testing"

func BenchmarkRandom(b *testing.B) {
	b.ReportAllocs()
	s, p := NewRandom(Options{}), conversation()
	for b.Loop() {
		_, _ = s.Draft(b.Context(), p)
	}
}
