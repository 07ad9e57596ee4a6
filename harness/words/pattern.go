// SPDX-License-Identifier: Apache-2.0

package words

import "slices"

// A pattern is a sequence of words as the data files write it:
//
//	turn off        these words in a row
//	turn|switch on  alternatives for one word
//	turn the? on    an optional word
//	turn * on       up to gapMax words between
//	^no  go$        at the start, at the end of the clause
//	<neg>           any phrase of the list of that name
//	=windows        exactly this word, where others are compared by stem
type pattern struct {
	nodes []node
	src   string
}

type nodeKind uint8

const (
	nodeWord nodeKind = iota
	nodeGap
	nodeStart
	nodeEnd
	nodeList
)

type node struct {
	kind     nodeKind
	words    []string
	optional bool
	exact    bool // compare words although the rest compares stems
	list     []pattern
	byFirst  map[string][]int // positions in list of what can begin with the word
	anyFirst []int            // of what can begin with every other word, too
}

// gapMax is how many words a * may skip.
const gapMax = 6

// speech is a row of tokens prepared for matching.
type speech struct {
	toks  []Token
	stems []string // same length; compared instead of words when set

	vocab *vocab   // of a lexicon, that the stems were looked up in, or nil
	ids   []uint32 // of the stems there
	heard []uint64 // the lists there that begin somewhere

	lists  [maxWide]uint64 // the lists of the language that begin somewhere
	listed bool            // lists is filled in
}

func (s *speech) word(i int) string {
	if s.stems != nil {
		return s.stems[i]
	}
	return s.toks[i].Word
}

// match matches the pattern at position i and returns where it ends, and
// which positions it used (gaps excluded).
func (p *pattern) match(s *speech, i int) (end int, at []int, ok bool) {
	if _, ok := p.ends(s, i); !ok {
		return 0, nil, false // most do not, and keep no positions
	}
	return matchNodes(p.nodes, s, i, nil, true)
}

// ends is [pattern.match] for those who do not ask for the positions.
func (p *pattern) ends(s *speech, i int) (end int, ok bool) {
	end, _, ok = matchNodes(p.nodes, s, i, nil, false)
	return end, ok
}

func matchNodes(nodes []node, s *speech, i int, used []int, keep bool) (int, []int, bool) {
	if len(nodes) == 0 {
		return i, used, true
	}
	n, rest := &nodes[0], nodes[1:]
	switch n.kind {
	case nodeStart:
		if i != 0 {
			return 0, nil, false
		}
		return matchNodes(rest, s, i, used, keep)
	case nodeEnd:
		if i != len(s.toks) {
			return 0, nil, false
		}
		return matchNodes(rest, s, i, used, keep)
	case nodeGap:
		for skip := 0; skip <= gapMax && i+skip <= len(s.toks); skip++ {
			if end, at, ok := matchNodes(rest, s, i+skip, used, keep); ok {
				return end, at, true
			}
		}
		return 0, nil, false
	case nodeList:
		bestEnd, bestAt, found := 0, []int(nil), false
		for _, k := range n.candidates(s, i) {
			mid, at, ok := matchNodes(n.list[k].nodes, s, i, used, keep)
			if !ok {
				continue
			}
			if end, at, ok := matchNodes(rest, s, mid, at, keep); ok && (!found || end > bestEnd) {
				bestEnd, bestAt, found = end, at, true
			}
		}
		return bestEnd, bestAt, found
	}
	if i < len(s.toks) {
		w := s.word(i)
		if n.exact {
			w = s.toks[i].Word
		}
		for _, x := range n.words {
			if x == w {
				next := used
				if keep {
					next = append(used[:len(used):len(used)], i)
				}
				if end, at, ok := matchNodes(rest, s, i+1, next, keep); ok {
					return end, at, true
				}
				break
			}
		}
	}
	if n.optional {
		return matchNodes(rest, s, i, used, keep)
	}
	return 0, nil, false
}

// candidates are the positions of the patterns of a list that can match at i,
// in the list's order.
func (n *node) candidates(s *speech, i int) []int {
	if i < len(s.toks) {
		if at, ok := n.byFirst[s.word(i)]; ok {
			return at
		}
	}
	return n.anyFirst
}

// index finds the patterns of a list by the words that they can begin with.
func (n *node) index(form func(string) string) {
	n.byFirst = map[string][]int{}
	firsts := make([][]string, len(n.list))
	for k := range n.list {
		words, any := firstOf(n.list[k].nodes, form)
		if any {
			n.anyFirst = append(n.anyFirst, k)
			continue
		}
		firsts[k] = words
		for _, w := range words {
			n.byFirst[w] = nil
		}
	}
	for w := range n.byFirst {
		for k := range n.list {
			if firsts[k] == nil || slices.Contains(firsts[k], w) {
				n.byFirst[w] = append(n.byFirst[w], k)
			}
		}
	}
}

// patterns is a list of patterns, found by the word they begin with.
type patterns struct {
	byFirst map[string][]*pattern
	start   []*pattern // can only match at the start
	other   []*pattern // begin with something else than a plain word
	all     []pattern
	form    func(string) string // of an exact word, where others are stems; or nil

	vocab *vocab // knows what the patterns begin with; nil: they are looked for everywhere
	bit   int    // the list's number there
}

func newPatterns(all []pattern) patterns {
	ps := patterns{byFirst: map[string][]*pattern{}, all: all}
	for i := range all {
		p := &all[i]
		if len(p.nodes) == 0 {
			continue
		}
		switch n := &p.nodes[0]; {
		case n.kind == nodeWord && !n.optional && !n.exact:
			for _, w := range n.words {
				ps.byFirst[w] = append(ps.byFirst[w], p)
			}
		case n.kind == nodeStart:
			ps.start = append(ps.start, p)
		default:
			ps.other = append(ps.other, p)
		}
	}
	return ps
}

// may reports whether a pattern can begin at i.
func (ps *patterns) may(s *speech, i int) bool {
	switch {
	case i >= len(s.toks):
		return false
	case ps.vocab == nil || ps.vocab.stems != (s.stems != nil):
		return true
	case s.stems == nil:
		return ps.vocab.begins(s.toks[i].first, ps.bit)
	}
	return s.vocab != ps.vocab || ps.vocab.begins(s.ids[i], ps.bit)
}

// anywhere reports whether a pattern can begin in the speech at all.
func (ps *patterns) anywhere(s *speech) bool {
	if v := ps.vocab; v != nil && !v.stems && s.stems == nil {
		if !s.listed {
			s.listed = true
			for i := range s.toks {
				v.join(s.lists[:v.wide], s.toks[i].first)
			}
		}
		return s.lists[ps.bit/64]&(1<<(ps.bit%64)) != 0
	}
	return ps.vocab == nil || s.vocab != ps.vocab || s.heard[ps.bit/64]&(1<<(ps.bit%64)) != 0
}

// at returns the end of the longest pattern that matches at i, and the
// positions it used.
func (ps *patterns) at(s *speech, i int) (end int, used []int, ok bool) {
	if !ps.may(s, i) {
		return 0, nil, false
	}
	for _, p := range ps.byFirst[s.word(i)] {
		if e, u, k := p.match(s, i); k && e >= end {
			end, used, ok = e, u, true
		}
	}
	rest := ps.other
	for again := i == 0; ; again = false {
		for _, p := range rest {
			if e, u, k := p.match(s, i); k && e > i && e >= end {
				end, used, ok = e, u, true
			}
		}
		if !again {
			return end, used, ok
		}
		rest = ps.start
	}
}

// ends is [patterns.at] for those who do not ask for the positions.
func (ps *patterns) ends(s *speech, i int) (end int, ok bool) {
	if !ps.may(s, i) {
		return 0, false
	}
	for _, p := range ps.byFirst[s.word(i)] {
		if e, k := p.ends(s, i); k && e >= end {
			end, ok = e, true
		}
	}
	rest := ps.other
	for again := i == 0; ; again = false {
		for _, p := range rest {
			if e, k := p.ends(s, i); k && e > i && e >= end {
				end, ok = e, true
			}
		}
		if !again {
			return end, ok
		}
		rest = ps.start
	}
}

// span is a stretch of token positions.
type span struct{ from, to int }

// find returns every place where a pattern matches, leftmost first, the
// longest at each place, none inside another.
func (ps *patterns) find(s *speech) []span {
	if !ps.anywhere(s) {
		return nil
	}
	var out []span
	for i := 0; i < len(s.toks); i++ {
		if end, ok := ps.ends(s, i); ok && end > i {
			out = append(out, span{i, end})
			i = end - 1
		}
	}
	return out
}

// has reports whether any pattern matches anywhere.
func (ps *patterns) has(s *speech) bool {
	if !ps.anywhere(s) {
		return false
	}
	for i := range s.toks {
		if _, ok := ps.ends(s, i); ok {
			return true
		}
	}
	return false
}

// starts returns the end of the longest match at the beginning.
func (ps *patterns) starts(s *speech) (end int, ok bool) {
	return ps.ends(s, 0)
}
