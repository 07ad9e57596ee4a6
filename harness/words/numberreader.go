// SPDX-License-Identifier: Apache-2.0

package words

import (
	"maps"
	"slices"
	"strings"
)

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

// longestNumber is longer than every number below a million that is written in
// one word. What a broken recogniser stammers together is longer still, and would
// take for ever.
const longestNumber = 80

// compound reads a number written in one word: zweihunderteinundzwanzig.
func (p *numberReader) compound(w string) (v float64, ok, part bool) {
	if !p.l.compounds || len(w) > longestNumber {
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
