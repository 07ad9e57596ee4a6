// SPDX-License-Identifier: Apache-2.0

package words

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var seeds = []string{"", "don’t open the window", "17,5 Grad", "“stop”", "A/C on", "ja, aber nur halb", "\xff\xfe", "half of twenty one and a half",
	"einhunderttausendhundert", "no, no, the second one", "?!…", "```{\"name\":1}```", "1.2.3,4.5", "a ʼ b", "' ʼ", "ﬁve ½ ٣ 窓を開けて", strings.Repeat("and ", 300),
	strings.Repeat("tausendhundert", 30)}

// Tokens cover the text in order, and nothing made of them panics.
func FuzzTokens(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	ls, err := Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		for _, l := range ls.list {
			norm := l.Normal(text)
			at := 0
			for _, tok := range l.Tokens(text) {
				if tok.From < at || tok.To <= tok.From || tok.To > len(norm) || norm[tok.From:tok.To] != tok.Text {
					t.Fatalf("%q: token %+v after %d", norm, tok, at)
				}
				at = tok.To
			}
			for _, q := range l.Quantities(l.Tokens(text)) {
				if q.To <= q.From {
					t.Fatalf("%q: quantity %+v takes no tokens", text, q)
				}
			}
			for _, c := range l.Utterance(text).Clauses {
				if c.Affirmative() && (c.Negated || c.Kind != Command) {
					t.Fatalf("%q: %+v", text, c)
				}
			}
			l.Claims(text)
			l.CutOff(text)
			l.LooksLikeCall(text)
			l.IsStop(text)
			if s := l.Speakable(text); !utf8.ValidString(s) {
				t.Fatalf("%q is made speakable as %q", text, s)
			}
		}
	})
}

// A yes holds no negator, whatever else is said.
func FuzzAnswer(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "Shall I open the sunroof to 50 percent?")
	}
	f.Add("yes, not", "Soll ich?")
	ls, err := Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text, question string) {
		if len(text) > 500 || len(question) > 500 {
			return
		}
		for _, l := range ls.list {
			for _, o := range []Offer{{Question: question}, {Question: question, Options: []string{"open the window", "leave it closed"}}} {
				a := l.Answer(text, o)
				if a.Kind != Yes {
					if a.Option != -1 {
						t.Fatalf("%q: option %d of a %s", text, a.Option, a.Kind)
					}
					continue
				}
				if a.Option < 0 || a.Option >= max(1, len(o.Options)) {
					t.Fatalf("%q: option %d", text, a.Option)
				}
				said := l.Normal(text)
				if a.Rest != "" {
					said = strings.TrimSuffix(strings.TrimSpace(said), a.Rest)
				}
				if s := (&speech{toks: l.read(said).words()}); a.Rest == "" && l.list("negator").has(s) {
					t.Fatalf("%q is a yes", text)
				}
			}
		}
	})
}

func FuzzLexicon(f *testing.F) {
	f.Add([]byte("language: en\ntools:\n  a: {names: [b], args: {c: {values: {1: [d]}}}}\n"))
	f.Add([]byte("language: en\nwords: {a: [b]}\nchains: [{name: x}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lf, err := ParseLexicon("x.yaml", data)
		if (lf == nil) == (err == nil) {
			t.Fatalf("lexicon %v, error %v", lf, err)
		}
	})
}
