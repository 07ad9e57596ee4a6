// SPDX-License-Identifier: Apache-2.0

package words

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// A plain word is read the way every word is.
func TestPlainWords(t *testing.T) {
	for _, code := range load(t).Codes() {
		l := load(t).For(code)
		rapid.Check(t, func(t *rapid.T) {
			text := l.Normal(rapid.StringOf(rapid.SampledFrom([]rune("abZ9'’`. -_/éßÄ\n,?\u0301"))).Draw(t, "text"))
			var slow []Token
			for i := 0; i < len(text); {
				tok := l.token(text, i)
				if tok.To == 0 {
					i += max(1, len(string([]rune(text[i:])[:1])))
					continue
				}
				tok.From, tok.Text = i, text[i:tok.To]
				if tok.Word == "" {
					tok.Word = tok.Text
				}
				slow = append(slow, tok)
				i = tok.To
			}
			if d := cmp.Diff(slow, slices.Clone(l.tokens(text)), cmpopts.IgnoreUnexported(Token{}), cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("%q (-slow +plain):\n%s", text, d)
			}
		})
	}
}

// A phrase that is passed over without taking it apart is not in the text.
func TestPassedOverPhrases(t *testing.T) {
	for _, code := range load(t).Codes() {
		l := load(t).For(code)
		rapid.Check(t, func(t *rapid.T) {
			letters := rapid.SampledFrom([]rune("aAbnesS '’.-ßÄ\u03013%"))
			text, phrase := rapid.StringOf(letters).Draw(t, "text"), rapid.StringOfN(letters, 1, 5, -1).Draw(t, "phrase")
			r := l.newReading(text)
			stems := l.newReading(phrase).stemmed()
			if len(stems) > 0 && indexOf(r.stemmed(), stems) >= 0 && !r.mayHold(phrase) {
				t.Fatalf("%q is in %q", phrase, text)
			}
		})
	}
}
