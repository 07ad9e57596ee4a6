// SPDX-License-Identifier: Apache-2.0

package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TokenKind says what a token is.
type TokenKind uint8

// The kinds of a token.
const (
	Word   TokenKind = iota
	Digits           // a number in digits
	Symbol           // %, °, /, +: part of a quantity
	Pause            // comma, dash, bracket: a clause may end here
	Full             // . ! ? … ; line end: a sentence ends here
	Quote
)

// Token is one word, number or mark of a text.
type Token struct {
	Kind TokenKind
	id   uint32  // the word's number in the language's vocabulary
	Text string  // as written
	Word string  // in normal form: lower case, no apostrophes, folded by language
	Num  float64 // the value, when Kind is Digits
	From int     // byte offsets in the normalised text
	To   int
}

// apostrophes are the marks that join a contraction; a word loses them all.
const apostrophes = "'’ʼ‘＇`´"

// quotes open or close quoted speech. Apostrophes are not among them.
const quotes = "\"“”„«»‟"

// Tokens splits a text. Offsets of the tokens refer to the text in Unicode
// normal form C, which [Language.Normal] gives. It never fails: what it does
// not know becomes a Symbol.
func (l *Language) Tokens(text string) []Token { return slices.Clone(l.read(text).toks) }

// tokens splits a text in normal form.
func (l *Language) tokens(text string) []Token {
	toks := l.room(strings.Count(text, " ") + len(text)/16 + 2)
	for i := 0; i < len(text); {
		var t Token
		if end := plainWord(text, i); end > i {
			t = Token{Kind: Word, To: end, Word: l.lower(text[i:end])}
		} else if text[i] == ' ' {
			i++
			continue
		} else if t = l.token(text, i); t.To == 0 {
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
			continue
		}
		t.From, t.Text = i, text[i:t.To]
		if t.Word == "" {
			t.Word = t.Text
		}
		if l.vocab != nil {
			t.id = l.vocab.ids.number(t.Word)
		}
		toks = append(toks, t)
		i = t.To
	}
	return toks
}

// plainWord returns the end of a word of ASCII letters at i that nothing joins
// to what follows, or i. A letter alone may begin a row of initials.
func plainWord(text string, i int) int {
	j := i
	for j < len(text) && (text[j]|0x20 >= 'a' && text[j]|0x20 <= 'z') {
		j++
	}
	if j-i < 2 {
		return i
	}
	if j < len(text) && (text[j] >= utf8.RuneSelf || text[j] == '\'' || text[j] == '`' || digitAt(text, j)) {
		return i
	}
	return j
}

// token reads the token at i, whose end is 0 if there is none: a blank.
func (l *Language) token(text string, i int) (t Token) {
	r, n := utf8.DecodeRuneInString(text[i:])
	switch {
	case r == '\n':
		return Token{Kind: Full, To: i + n}
	case unicode.IsSpace(r), unicode.Is(unicode.Cf, r), strings.ContainsRune(apostrophes, r), (r == '-' || r == '‑') && wordBefore(text, i):
		return t // a hyphen only separates the parts of a word; an apostrophe outside of one is a quote
	case r >= '0' && r <= '9' || r == '.' && digitAt(text, i+1) && !wordBefore(text, i):
		return l.digits(text, i)
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return l.word(text, i)
	case strings.ContainsRune(quotes, r):
		return Token{Kind: Quote, To: i + n}
	case strings.ContainsRune(".!?…;。！？｡؟।", r):
		return Token{Kind: Full, To: i + n}
	case strings.ContainsRune(",:()[]{}、，–—", r), r == '-' && !digitAt(text, i+n):
		return Token{Kind: Pause, To: i + n}
	}
	return Token{Kind: Symbol, To: i + n}
}

// Normal returns the text in Unicode normal form C, invalid bytes replaced.
func (l *Language) Normal(text string) string {
	if isASCII(text) {
		return text
	}
	return norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD"))
}

// word reads a word at i: letters, marks and digits, apostrophes between
// letters, and single letters joined by dots or slashes: A.C., A/C.
func (l *Language) word(text string, i int) Token {
	j := i
	for j < len(text) {
		r, n := utf8.DecodeRuneInString(text[j:])
		if strings.ContainsRune(apostrophes, r) && !letterAt(text, j+n) {
			break
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(apostrophes, r) {
			break
		}
		j += n
	}
	if end := initials(text, i, j); end > j {
		return Token{Kind: Word, To: end, Word: l.normal(dropAny(text[i:end], "./"))}
	}
	return Token{Kind: Word, To: j, Word: l.normal(text[i:j])}
}

// dropAny leaves runes out of a text.
func dropAny(text, runes string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(runes, r) {
			return -1
		}
		return r
	}, text)
}

// initials returns the end of a row of single letters joined by dots or
// slashes that starts with the one-letter word text[i:j], or j.
func initials(text string, i, j int) int {
	if utf8.RuneCountInString(text[i:j]) != 1 {
		return j
	}
	end := j
	for end < len(text) && (text[end] == '.' || text[end] == '/') && letterAt(text, end+1) {
		_, n := utf8.DecodeRuneInString(text[end+1:])
		if letterAt(text, end+1+n) {
			return j // a longer word follows: no initials
		}
		end += 1 + n
	}
	if end > j && end < len(text) && text[end] == '.' && text[end-2] == '.' {
		end++
	}
	return end
}

// digits reads a number in digits at i. A separator followed by exactly
// three digits groups them when it is not the language's decimal mark; else
// a separator between digits is a decimal mark.
func (l *Language) digits(text string, i int) Token {
	j, num, scale, frac := i, 0.0, 1.0, false
	for j < len(text) {
		c := text[j]
		if c >= '0' && c <= '9' {
			num = num*10 + float64(c-'0')
			if frac {
				scale *= 10
			}
			j++
			continue
		}
		if (c != '.' && c != ',') || !digitAt(text, j+1) || frac {
			break
		}
		group := c != l.decimal && j > i && digitAt(text, j+2) && digitAt(text, j+3) && !digitAt(text, j+4)
		if !group {
			frac = true
		}
		j++
	}
	return Token{Kind: Digits, To: j, Word: text[i:j], Num: num / scale}
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

func letterAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r)
}

func wordBefore(s string, i int) bool {
	if i == 0 {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// normal brings one word to its normal form.
func (l *Language) normal(w string) string {
	if !isASCII(w) || strings.ContainsAny(w, "'`") {
		return l.normalAny(w)
	}
	return l.lower(w)
}

// lower is normal for a word of ASCII letters and digits.
func (l *Language) lower(w string) string {
	if l.foldsASCII {
		return l.normalAny(w)
	}
	return strings.ToLower(w)
}

func (l *Language) normalAny(w string) string {
	w = strings.Map(func(r rune) rune {
		if strings.ContainsRune(apostrophes, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, w)
	return l.fold.Replace(w)
}

// stemMin is how many letters a stem has at least, if its word has them.
const stemMin = 3

// stem strips the longest ending of the language that leaves a stem of at
// least three letters.
func (l *Language) stem(w string) string {
	for _, s := range l.endings {
		if len(w) >= len(s)+stemMin && strings.HasSuffix(w, s) {
			return w[:len(w)-len(s)]
		}
	}
	return w
}

// spoken reports whether the token carries meaning: it is no pause, end or quote.
func (t *Token) spoken() bool { return t.Kind == Word || t.Kind == Digits || t.Kind == Symbol }

// spoken returns the tokens that carry meaning. They are the very tokens where
// all of them do.
func spoken(toks []Token) []Token {
	return spokenIn(toks, func(n int) []Token { return make([]Token, 0, n) })
}

func spokenIn(toks []Token, room func(int) []Token) []Token {
	n := 0
	for i := range toks {
		if toks[i].spoken() {
			n++
		}
	}
	if n == len(toks) {
		return toks[:n:n]
	}
	out := room(n)
	for i := range toks {
		if toks[i].spoken() {
			out = append(out, toks[i])
		}
	}
	return out
}
