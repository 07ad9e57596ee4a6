// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/e2e"
)

func BenchmarkReceiver(b *testing.B) {
	for _, name := range []string{"e2e-1", "e2e-2", "e2e-5"} {
		b.Run(name, func(b *testing.B) {
			a := algorithm(b, name)
			s, r := e2e.NewSender(a), e2e.NewReceiver(a, e2e.Limits{})
			frames := make([]canbus.Frame, a.Counters())
			for i := range frames {
				frames[i], _ = s.Protect(canbus.Frame{Length: 8})
			}
			b.ReportAllocs()
			for i := range b.N {
				r.Check(frames[i%len(frames)].Data[:])
			}
			if b.N > 1 && !r.Trusted() {
				b.Fatal(r.State())
			}
		})
	}
}
