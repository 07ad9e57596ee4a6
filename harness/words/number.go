// SPDX-License-Identifier: Apache-2.0

package words

import "github.com/carguardd/carguardd/vehicle"

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
		if end, ok := level.ends(s, i); ok && end < len(toks) {
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
	end, ok := l.list("to").ends(s, i-1)
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
		if end, ok := u.ps.ends(s, i); ok && end-i > n {
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
