// SPDX-License-Identifier: Apache-2.0

package words

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// numbersFile says how a language builds its numbers.
type numbersFile struct {
	Ones  map[string]float64 `yaml:"ones"`  // zero … nineteen
	Tens  map[string]float64 `yaml:"tens"`  // twenty … ninety
	Large map[string]float64 `yaml:"large"` // hundred, thousand
	Parts map[string]float64 `yaml:"parts"` // half, quarter; multiplied by a number before them
	Whole map[string]float64 `yaml:"whole"` // one word with its part: anderthalb
	And   []string           `yaml:"and"`   // between the parts of a number
	Point []string           `yaml:"point"` // the decimal mark in words
	Minus []string           `yaml:"minus"`
	// Link joins ones and tens in one word, ones first: einundzwanzig.
	Link string `yaml:"link"`
	// Suffix is glued to a number and adds to it: zweieinhalb.
	Suffix map[string]float64 `yaml:"suffix"`
	// Loose words are numbers only beside a unit or a level word: one, ein.
	Loose []string `yaml:"loose"`
	// Say is how numbers are spoken by [Language.NumberWords].
	Say sayFile `yaml:"say"`
}

type sayFile struct {
	Ones     []string `yaml:"ones"`     // 0 … 19
	Tens     []string `yaml:"tens"`     // 20, 30 … 90
	TenOne   string   `yaml:"ten_one"`  // "{ten} {one}"
	Hundred  string   `yaml:"hundred"`  // "{n} hundred"
	Thousand string   `yaml:"thousand"` // "{n} thousand"
	Joint    string   `yaml:"joint"`    // between hundreds and the rest
	Glued    []string `yaml:"glued"`    // forms of 1 … before hundred and tens, when they differ
	Half     string   `yaml:"half"`     // "{n} and a half"
	Point    string   `yaml:"point"`
	Minus    string   `yaml:"minus"`
}

type numbers struct {
	ones, tens, large, parts, whole, suffix map[string]float64
	and, point, minus, loose                map[string]bool
	link                                    string
	compounds                               bool // numbers are written in one word
	say                                     sayFile
}

func (l *Language) loadNumbers(f *languageFile) error {
	n := &f.Numbers
	num := func(m map[string]float64) map[string]float64 {
		out := map[string]float64{}
		for w, v := range m {
			out[l.normal(w)] = v
		}
		return out
	}
	set := func(ws []string) map[string]bool {
		out := map[string]bool{}
		for _, w := range ws {
			out[l.normal(w)] = true
		}
		return out
	}
	l.numbers = numbers{ones: num(n.Ones), tens: num(n.Tens), large: num(n.Large), parts: num(n.Parts),
		whole: num(n.Whole), suffix: num(n.Suffix), and: set(n.And), point: set(n.Point), minus: set(n.Minus),
		loose: set(n.Loose), link: l.normal(n.Link), compounds: n.Link != "", say: n.Say}
	if len(n.Ones) < 20 || len(n.Tens) < 8 || len(n.Say.Ones) != 20 || len(n.Say.Tens) != 8 {
		return fmt.Errorf("numbers: need ones 0 to 19 and tens 20 to 90, also under say")
	}
	return nil
}

// Quantity is a number said in a text.
type Quantity struct {
	Value float64
	// Unit is what was said with it; degrees may mean a temperature. Empty
	// when nothing was.
	Unit vehicle.Unit
	// Part is set on a bare fraction such as "half": it means that part of the
	// whole range.
	Part     bool
	From, To int // positions in the tokens, unit included
}

// Quantities finds the numbers in tokens as [Language.Tokens] gives them, in
// digits or words, with their units. A word that can be a number or not (one)
// is one only beside a unit or a level word.
func (l *Language) Quantities(toks []Token) []Quantity {
	var out []Quantity
	level := l.unit("level")
	s := &speech{toks: toks}
	for i := 0; i < len(toks); {
		from, word := i, i
		before := false
		if end, _, ok := level.at(s, i); ok && end < len(toks) {
			word, before = end, true
		}
		q, n, loose := l.numberAt(toks, word)
		if n == 0 {
			i++
			continue
		}
		q.From, q.To = from, word+n
		if before {
			q.Unit = "level"
		} else if u, m := l.unitAt(s, q.To); m > 0 {
			q.Unit, q.To = u, q.To+m
		}
		if q.Unit != "" {
			q.Part = false
		} else if loose && !l.afterTo(s, from) {
			i = q.To
			continue
		}
		out = append(out, q)
		i = q.To
	}
	return out
}

// afterTo reports whether the word before position i is one like "to".
func (l *Language) afterTo(s *speech, i int) bool {
	if i == 0 {
		return false
	}
	end, _, ok := l.list("to").at(s, i-1)
	return ok && end == i
}

func (l *Language) unit(u vehicle.Unit) *patterns {
	for i := range l.units {
		if l.units[i].unit == u {
			return &l.units[i].ps
		}
	}
	return &patterns{}
}

// unitAt returns the unit said at position i and how many tokens it takes.
func (l *Language) unitAt(s *speech, i int) (vehicle.Unit, int) {
	var best vehicle.Unit
	n := 0
	for k := range l.units {
		u := &l.units[k]
		if end, _, ok := u.ps.at(s, i); ok && end-i > n {
			best, n = u.unit, end-i
		}
	}
	return best, n
}

// numberAt reads the number that begins at i and returns how many tokens it
// takes; loose is set when it rests on a single loose word.
func (l *Language) numberAt(toks []Token, i int) (q Quantity, n int, loose bool) {
	p := &numberReader{l: &l.numbers, toks: toks, i: i}
	neg := i < len(toks) && (l.numbers.minus[toks[i].Word] || toks[i].Word == "-" || toks[i].Word == "−")
	if neg {
		p.i++
	}
	v, ok, whole := p.number()
	if !ok {
		return Quantity{}, 0, false
	}
	if neg {
		v = -v
	}
	n = p.i - i
	return Quantity{Value: v, Part: !whole && !neg}, n, n == 1 && l.numbers.loose[toks[i].Word]
}

type numberReader struct {
	l    *numbers
	toks []Token
	i    int
}

func (p *numberReader) word() string {
	if p.i < len(p.toks) && p.toks[p.i].Kind == Word {
		return p.toks[p.i].Word
	}
	return ""
}

// number reads a whole number with its fraction, or a bare fraction; whole is
// false for the latter.
func (p *numberReader) number() (v float64, ok, whole bool) {
	v, ok, part := p.integer()
	if part {
		return v, true, true
	}
	if !ok {
		v, ok = p.fraction()
		return v, ok, false
	}
	if p.i < len(p.toks) && p.toks[p.i].Kind == Digits && p.toks[p.i].Text[0] == '.' {
		p.i++ // "24 .5", as recognisers write it
		return v + p.toks[p.i-1].Num, true, true
	}
	if f, n := p.decimals(); n > 0 {
		p.i += n
		return v + f, true, true
	}
	mark := p.i
	if f, isPart := p.l.parts[p.word()]; isPart { // three quarters
		p.i++
		if v*f < 1 {
			return v * f, true, false
		}
		return v + f, true, true // einundzwanzig einhalb
	}
	if p.l.and[p.word()] {
		p.i++
	}
	if f, ok := p.fraction(); ok && f < 1 { // and a half
		return v + f, true, true
	}
	p.i = mark
	return v, true, true
}

// fraction reads "half", "a half", "a quarter".
func (p *numberReader) fraction() (float64, bool) {
	mark := p.i
	if p.l.loose[p.word()] {
		p.i++
	}
	if f, ok := p.l.parts[p.word()]; ok {
		p.i++
		return f, true
	}
	p.i = mark
	return 0, false
}

// decimals reads "point five two" after a whole number without moving on.
func (p *numberReader) decimals() (v float64, n int) {
	if !p.l.point[p.word()] {
		return 0, 0
	}
	scale := 0.1
	for k := p.i + 1; k < len(p.toks); k++ {
		t := p.toks[k]
		switch d, ok := p.l.ones[t.Word]; {
		case ok && d < 10:
			v += d * scale
			scale /= 10
		case t.Kind == Digits && k == p.i+1 && t.Num == float64(int64(t.Num)):
			for _, c := range t.Text {
				v += float64(c-'0') * scale
				scale /= 10
			}
			return roundTo(v), k + 1 - p.i
		default:
			if k == p.i+1 {
				return 0, 0
			}
			return roundTo(v), k - p.i
		}
	}
	if n := len(p.toks) - p.i; n > 1 {
		return roundTo(v), n
	}
	return 0, 0
}

// roundTo removes the noise of adding decimal places: nine are plenty.
func roundTo(v float64) float64 {
	const places = 1e9
	return float64(int64(v*places+0.5)) / places
}

// integer reads digits or the words of a whole number. part is set when one
// word carried a fraction as well.
func (p *numberReader) integer() (v float64, ok, part bool) {
	if p.i < len(p.toks) && p.toks[p.i].Kind == Digits {
		p.i++
		return p.toks[p.i-1].Num, true, false
	}
	total, group, last := 0.0, 0.0, 1e9
	for p.word() != "" {
		w := p.word()
		if p.l.and[w] && ok && last >= 100 { // one hundred and five
			p.i++
			if x, k := p.small(p.word()); k && x < 100 {
				continue
			}
			p.i--
			break
		}
		if f, isLarge := p.l.large[w]; isLarge && (ok || f >= 100) {
			if last < f && ok || !ok {
				group = max(group, 1) * f
				if f >= 1000 {
					total, group = total+group, 0
				}
				last, ok = f, true
				p.i++
				continue
			}
			break
		}
		if x, k := p.l.whole[w]; k && !ok {
			p.i++
			return x, true, true
		}
		x, k := p.small(w)
		if !k {
			x, k, part = p.compound(w)
		}
		if !k || x >= last || (last < 20 && ok) || (last < 100 && ok && x >= 10) {
			break
		}
		group, last, ok = group+x, x, true
		if x >= 20 && int64(x)%10 != 0 {
			last = 1 // twenty-one takes nothing more
		}
		p.i++
		if part {
			return total + group, true, true
		}
	}
	return total + group, ok, false
}

func (p *numberReader) small(w string) (float64, bool) {
	if x, ok := p.l.ones[w]; ok {
		return x, true
	}
	x, ok := p.l.tens[w]
	return x, ok
}

// compound reads a number written in one word: zweihunderteinundzwanzig.
func (p *numberReader) compound(w string) (v float64, ok, part bool) {
	if !p.l.compounds {
		return 0, false, false
	}
	for _, s := range slices.Sorted(maps.Keys(p.l.suffix)) {
		if head, cut := strings.CutSuffix(w, s); cut && head != "" {
			if x, k := p.joined(head); k {
				return x + p.l.suffix[s], true, true
			}
		}
	}
	v, ok = p.joined(w)
	return v, ok, false
}

func (p *numberReader) joined(w string) (float64, bool) {
	if x, ok := p.small(w); ok {
		return x, true
	}
	for _, large := range []float64{1000, 100} {
		for name, f := range p.l.large {
			head, rest, cut := strings.Cut(w, name)
			if f != large || !cut {
				continue
			}
			a, b, ok := 1.0, 0.0, true
			if head != "" {
				a, ok = p.joined(head)
			}
			if rest = strings.TrimPrefix(rest, p.l.link); ok && rest != "" {
				b, ok = p.joined(rest)
			}
			if ok && a < f && b < f {
				return a*f + b, true
			}
		}
	}
	for i := strings.Index(w, p.l.link); i > 0; {
		one, ok1 := p.l.ones[w[:i]]
		ten, ok2 := p.l.tens[w[i+len(p.l.link):]]
		if ok1 && ok2 && one < 10 {
			return ten + one, true
		}
		next := strings.Index(w[i+1:], p.l.link)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return 0, false
}
