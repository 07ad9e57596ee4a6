// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness/eval"
)

// BenchmarkVerifyRecorded judges every recorded step once per iteration. Its
// time an iteration holds the telling of the conversations too; what a step
// takes is in its own figures, the best of the iterations (-benchtime 5x). A
// profile of it shows verification below Suite.Judge.
func BenchmarkVerifyRecorded(b *testing.B) {
	k := shared(b)
	b.ReportAllocs()
	b.ResetTimer()
	t, err := eval.Time(b.Context(), k, k.Corpus.Runs, b.N, nil)
	if err != nil {
		b.Fatal(err)
	}
	us := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
	b.ReportMetric(us(t.Median), "median-µs")
	b.ReportMetric(us(t.P95), "p95-µs")
	b.ReportMetric(us(t.Max), "max-µs")
}
