// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// segment is the part of a clause that speaks about one thing.
type segment struct {
	toks  []words.Token
	names []int // positions in toks of the words that name it
	tools []*vehicle.Tool
	args  vehicle.Value // what a pronoun brings along
	whole bool          // it is the whole clause
}

// named is a name of one or more writes.
type named struct {
	tools []*vehicle.Tool
	used  []int
}

// writes finds the names of write tools.
func (p *parser) writes(toks []words.Token) []named {
	var out []named
	for _, h := range p.lex.Names(toks) {
		tools := slices.DeleteFunc(slices.Clone(h.Tools), func(t *vehicle.Tool) bool { return t.Access != vehicle.Write })
		if len(tools) > 0 {
			out = append(out, named{tools, h.Used})
		}
	}
	return out
}

// segments splits a clause by the things it names. Two names that share a
// tool and have no joining word between them are one thing: "two degrees
// warmer". A clause without a name is about what "it" refers to.
func (p *parser) segments(toks []words.Token) []segment {
	hits := p.writes(toks)
	if len(hits) == 0 {
		if p.last == nil || !p.lang.Pronoun(toks) {
			return nil
		}
		return []segment{{toks: toks, tools: p.last.tools, args: p.last.args, whole: true}}
	}
	var segs []segment
	start := 0
	cur := segment{tools: hits[0].tools, names: hits[0].used}
	for _, h := range hits[1:] {
		cut, joined := p.cutBetween(toks, slices.Max(cur.names)+1, h.used[0])
		if shared := common(cur.tools, h.tools); !joined {
			// Without a joining word both must be about one thing; when they are
			// not, no tool is left and the segment is not understood.
			cur.tools, cur.names = shared, append(slices.Clone(cur.names), h.used...)
			continue
		}
		segs = append(segs, p.cut(cur, toks, start, cut.From))
		start, cur = cut.To, segment{tools: h.tools, names: h.used}
	}
	segs = append(segs, p.cut(cur, toks, start, len(toks)))
	segs[0].whole = len(segs) == 1
	return segs
}

// cut gives a segment its tokens and makes its positions relative to them.
func (p *parser) cut(s segment, toks []words.Token, from, to int) segment {
	s.toks = toks[from:to]
	names := make([]int, 0, len(s.names))
	for _, i := range s.names {
		if i >= from && i < to {
			names = append(names, i-from)
		}
	}
	s.names = names
	return s
}

// cutBetween finds where a clause is split between two names: at the last
// joining word or comma between them.
func (p *parser) cutBetween(toks []words.Token, from, to int) (words.Span, bool) {
	var best words.Span
	if from > to { // one name inside the gap of another
		return best, false
	}
	_, qs := p.quantities(toks)
	inNumber := func(i int) bool {
		return slices.ContainsFunc(qs, func(q quantity) bool { return q.from <= i && i < q.To })
	}
	for _, list := range []string{"and", "or", "then"} {
		for _, sp := range p.lang.Find(list, toks[from:to]) {
			if sp.To+from > best.To && !inNumber(sp.From+from) {
				best = words.Span{From: sp.From + from, To: sp.To + from}
			}
		}
	}
	for i := from; i <= to && i > 0 && i < len(toks); i++ {
		if i > best.To && hasComma(p.text[toks[i-1].To:toks[i].From]) {
			best = words.Span{From: i, To: i}
		}
	}
	return best, best.To > 0
}

func hasComma(s string) bool {
	return slices.ContainsFunc([]rune(s), func(r rune) bool { return r == ',' || r == ';' || r == '，' || r == '、' })
}

func common(a, b []*vehicle.Tool) []*vehicle.Tool {
	return slices.DeleteFunc(slices.Clone(a), func(t *vehicle.Tool) bool { return !slices.Contains(b, t) })
}
