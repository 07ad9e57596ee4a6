// SPDX-License-Identifier: Apache-2.0

package words

import (
	"testing"

	"pgregory.net/rapid"
)

// A numbering says what a map says.
func TestNumbering(t *testing.T) {
	letters := rapid.SampledFrom([]rune("ab\x00éz"))
	rapid.Check(t, func(t *rapid.T) {
		var got numbering
		want := map[string]uint32{}
		for _, w := range rapid.SliceOf(rapid.StringOfN(letters, 0, 20, -1)).Draw(t, "words") {
			if n := got.number(w); n != want[w] {
				t.Fatalf("%q is %d, want %d", w, n, want[w])
			}
			id := got.add(w)
			if want[w] == 0 {
				want[w] = uint32(len(want) + 1)
			}
			if id != want[w] {
				t.Fatalf("%q was numbered %d, want %d", w, id, want[w])
			}
		}
		for w, id := range want {
			if n := got.number(w); n != id {
				t.Fatalf("%q is %d in the end, want %d", w, n, id)
			}
		}
	})
}

func BenchmarkNumber(b *testing.B) {
	l := load(b).For("en")
	for b.Loop() {
		for _, w := range []string{"would", "you", "like", "me", "to", "open", "the", "sunroof"} {
			l.vocab.ids.number(w)
		}
	}
}
