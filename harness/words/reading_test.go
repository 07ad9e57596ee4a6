// SPDX-License-Identifier: Apache-2.0

package words

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A sentence is read the same inside of its text as alone.
func TestSentenceAlone(t *testing.T) {
	for _, code := range load(t).Codes() {
		l := load(t).For(code)
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.StringOf(rapid.SampledFrom([]rune("abZ93'’`.,!?: -_/%éßÄ\"“\n\u0301"))).Draw(t, "text")
			r := l.newReading(text)
			for i := range r.sentences() {
				inside, alone := r.part(&r.parts[i]), l.newReading(r.parts[i].in(r.text))
				if inside == nil {
					continue
				}
				if d := cmp.Diff(alone.toks, inside.toks, cmp.AllowUnexported(Token{})); d != "" {
					t.Fatalf("%q in %q (-alone +inside):\n%s", alone.text, text, d)
				}
			}
		})
	}
}
