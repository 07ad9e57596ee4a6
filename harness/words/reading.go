// SPDX-License-Identifier: Apache-2.0

package words

import (
	"strings"
	"unicode/utf8"
)

// reading is a text taken apart. Its parts are made when they are first asked
// for, and nobody changes them.
type reading struct {
	lang *Language
	text string  // in normal form
	toks []Token // all
	said []Token // those that carry meaning

	stems      []string
	parts      []sentence
	quantities []Quantity
	counted    bool
	claims     []Claim
	judged     bool
	utterance  *Utterance
	rest       *string // without remarks
	joined     string  // its words, to look for parts of phrases in

	speech *speech // of a lexicon
	hits   []Hit
	named  bool
	cues   map[*ToolWords][]Cue
}

// memory keeps texts taken apart for one conversation, in which the same few
// texts are asked about again and again. It is not safe for concurrent use.
type memory struct {
	texts map[string]*reading
	bytes int
	room  tokenRoom

	last   string // what was asked about just now, most often the next is too
	lastIs *reading

	whole *reading // whose sentences were asked for last: they are often asked about next
}

// memoryMax is how many bytes of text are kept before all are dropped: a
// conversation of some hours. A byte of text takes about fifty here.
const memoryMax = 64 << 10

// usualTexts is how many texts, phrases included, a conversation usually asks
// about.
const usualTexts = 128

// Remembering returns the lexicon with a memory of its own for the texts that it
// is asked about. It says what the lexicon says, sooner; it must not be used
// concurrently.
func (x *Lexicon) Remembering() *Lexicon {
	own, lang := *x, *x.Lang
	lang.memory = &memory{texts: make(map[string]*reading, usualTexts)}
	own.Lang = &lang
	return &own
}

// read takes a text apart.
func (l *Language) read(text string) *reading {
	m := l.memory
	if m == nil {
		return l.newReading(text)
	}
	if m.lastIs != nil && m.last == text {
		return m.lastIs
	}
	if r := m.texts[text]; r != nil {
		m.last, m.lastIs = text, r
		return r
	}
	if m.bytes += len(text); m.bytes > memoryMax {
		clear(m.texts)
		m.bytes, m.whole = len(text), nil
	}
	r := m.whole.sentence(text)
	if r == nil {
		r = l.newReading(text)
	}
	m.texts[text] = r
	m.last, m.lastIs = text, r
	return r
}

func (l *Language) newReading(text string) *reading {
	r := &reading{lang: l, text: l.Normal(text)}
	r.toks = l.tokens(r.text)
	return r
}

// words are the tokens that carry meaning.
func (r *reading) words() []Token {
	if r.said == nil {
		r.said = spokenIn(r.toks, r.lang.room)
	}
	return r.said
}

// stemmed are the stems of the words.
func (r *reading) stemmed() []string {
	if r.stems == nil {
		r.stems = r.lang.stems(r.words())
	}
	return r.stems
}

// mayHold reports whether the phrase may stand in the text: the letters it
// begins with do, as far as stems keep them. It saves taking most phrases apart.
func (r *reading) mayHold(phrase string) bool {
	n := 0
	for n < min(len(phrase), stemMin) && (phrase[n]|0x20 >= 'a' && phrase[n]|0x20 <= 'z') {
		n++
	}
	if n == 0 || !isASCII(phrase) || r.lang.foldsASCII || n < stemMin && n < len(phrase) && phrase[n] != ' ' {
		return true
	}
	return holdsStart(r.spelled(), phrase[:n])
}

// spelled are the words, a blank before each and one behind the last.
func (r *reading) spelled() string {
	if r.joined == "" {
		var b strings.Builder
		b.Grow(len(r.text) + 8)
		for i := range r.words() {
			b.WriteByte(' ')
			b.WriteString(r.said[i].Word)
		}
		b.WriteByte(' ')
		r.joined = b.String()
	}
	return r.joined
}

// holdsStart reports whether a word of the spelled text begins with the ASCII
// letters, large or small.
func holdsStart(spelled, letters string) bool {
	var buf [stemMin + 1]byte
	buf[0] = ' '
	for i := range len(letters) {
		buf[i+1] = letters[i] | 0x20
	}
	return strings.Contains(spelled, string(buf[:len(letters)+1]))
}

// sentences are the stretches of the text up to full stops.
func (r *reading) sentences() []sentence {
	if r.parts == nil {
		r.parts = split(r.toks, r.words())
	}
	if m := r.lang.memory; m != nil {
		m.whole = r
	}
	return r.parts
}

// sentence is the reading of a text that is a sentence of r, else nil.
func (r *reading) sentence(text string) *reading {
	if r == nil {
		return nil
	}
	for i := range r.parts {
		if s := &r.parts[i]; s.in(r.text) == text {
			return r.part(s)
		}
	}
	return nil
}

// part is the reading of a sentence of r; nil if it may be read otherwise when
// nothing stands behind it.
func (r *reading) part(s *sentence) *reading {
	rest := r.text[s.toks[len(s.toks)-1].To:]
	if _, n := utf8.DecodeRuneInString(rest); n < len(rest) && rest[n] != ' ' && rest[n] != '\n' {
		return nil // the dot in "a/b.de"
	}
	p := &reading{lang: r.lang, text: s.in(r.text), toks: s.toks}
	if from := s.toks[0].From; from > 0 {
		p.toks = append(r.lang.room(len(s.toks)), s.toks...)
		for i := range p.toks {
			p.toks[i].From -= from
			p.toks[i].To -= from
		}
	}
	return p
}

// QuantitiesIn finds the numbers in a text. Nobody may change them.
func (l *Language) QuantitiesIn(text string) []Quantity { return l.read(text).numbers() }

// numbers are the quantities in all tokens.
func (r *reading) numbers() []Quantity {
	if !r.counted {
		r.quantities, r.counted = r.lang.Quantities(r.toks), true
	}
	return r.quantities
}

// heard is the text for matching with the lexicon's phrases.
func (x *Lexicon) heard(r *reading) *speech {
	if r.speech == nil {
		r.speech = x.speech(r.words(), r.stemmed())
	}
	return r.speech
}

// names are the names in the text.
func (x *Lexicon) named(r *reading) []Hit {
	if !r.named {
		r.hits, r.named = x.namesIn(x.heard(r)), true
	}
	return r.hits
}

// TakeApart makes of a text, ahead, what questions about its words and about
// the tools will need. It is of use to a lexicon that remembers, and does nothing
// else.
func (x *Lexicon) TakeApart(text string, tools ...string) {
	if x.Lang.memory == nil {
		return
	}
	r := x.Lang.read(text)
	r.numbers()
	r.stemmed()
	r.spelled()
	x.named(r)
	for _, name := range tools {
		if t := x.tools[name]; t != nil {
			x.cuesIn(r, t)
		}
	}
}

// cuesIn is what the text tells about the tool's arguments.
func (x *Lexicon) cuesIn(r *reading, t *ToolWords) []Cue {
	cues, ok := r.cues[t]
	if !ok {
		if r.cues == nil {
			r.cues = map[*ToolWords][]Cue{}
		}
		cues = t.cuesIn(x.heard(r))
		r.cues[t] = cues
	}
	return cues
}
