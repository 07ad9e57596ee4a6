// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"testing"

	"github.com/carguardd/carguardd/harness"
)

func BenchmarkDraft(b *testing.B) {
	bench := newBench(b, "demo-ev")
	p := &harness.Prompt{Language: "en", Messages: []harness.Message{user("open all windows to 50 % and turn the AC on")}, Tools: bench.cat}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bench.st.Draft(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstDraft includes making the lexicon of a new catalog.
func BenchmarkFirstDraft(b *testing.B) {
	bench := newBench(b, "demo-ev")
	p := &harness.Prompt{Language: "en", Messages: []harness.Message{user("turn the AC on")}, Tools: bench.cat}
	b.ReportAllocs()
	for b.Loop() {
		st, err := New(bench.st.o)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := st.Draft(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}
