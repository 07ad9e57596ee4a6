// SPDX-License-Identifier: Apache-2.0

package words

import (
	"fmt"
	"strings"
)

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
}

// gapMax is how many words a * may skip.
const gapMax = 6

// speech is a row of tokens prepared for matching.
type speech struct {
	toks  []Token
	stems []string // same length; compared instead of words when set
}

func (s *speech) word(i int) string {
	if s.stems != nil {
		return s.stems[i]
	}
	return s.toks[i].Word
}

// match matches the pattern at position i and returns where it ends, and
// which positions it used (gaps excluded) in used.
func (p *pattern) match(s *speech, i int, used []int) (end int, at []int, ok bool) {
	return matchNodes(p.nodes, s, i, used)
}

func matchNodes(nodes []node, s *speech, i int, used []int) (int, []int, bool) {
	if len(nodes) == 0 {
		return i, used, true
	}
	n, rest := &nodes[0], nodes[1:]
	switch n.kind {
	case nodeStart:
		if i != 0 {
			return 0, nil, false
		}
		return matchNodes(rest, s, i, used)
	case nodeEnd:
		if i != len(s.toks) {
			return 0, nil, false
		}
		return matchNodes(rest, s, i, used)
	case nodeGap:
		for skip := 0; skip <= gapMax && i+skip <= len(s.toks); skip++ {
			if end, at, ok := matchNodes(rest, s, i+skip, used); ok {
				return end, at, true
			}
		}
		return 0, nil, false
	case nodeList:
		bestEnd, bestAt, found := 0, []int(nil), false
		for k := range n.list {
			mid, at, ok := n.list[k].match(s, i, used)
			if !ok {
				continue
			}
			if end, at, ok := matchNodes(rest, s, mid, at); ok && (!found || end > bestEnd) {
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
				if end, at, ok := matchNodes(rest, s, i+1, append(used[:len(used):len(used)], i)); ok {
					return end, at, true
				}
				break
			}
		}
	}
	if n.optional {
		return matchNodes(rest, s, i, used)
	}
	return 0, nil, false
}

// patterns is a list of patterns, found by the word they begin with.
type patterns struct {
	byFirst map[string][]*pattern
	start   []*pattern // can only match at the start
	other   []*pattern // begin with something else than a plain word
	all     []pattern
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

// at returns the end of the longest pattern that matches at i, and the
// positions it used.
func (ps *patterns) at(s *speech, i int) (end int, used []int, ok bool) {
	if i < len(s.toks) {
		for _, p := range ps.byFirst[s.word(i)] {
			if e, u, k := p.match(s, i, nil); k && e >= end {
				end, used, ok = e, u, true
			}
		}
	}
	rest := ps.other
	for again := i == 0; ; again = false {
		for _, p := range rest {
			if e, u, k := p.match(s, i, nil); k && e > i && e >= end {
				end, used, ok = e, u, true
			}
		}
		if !again {
			return end, used, ok
		}
		rest = ps.start
	}
}

// span is a stretch of token positions.
type span struct{ from, to int }

// find returns every place where a pattern matches, leftmost first, the
// longest at each place, none inside another.
func (ps *patterns) find(s *speech) []span {
	var out []span
	for i := 0; i < len(s.toks); i++ {
		if end, _, ok := ps.at(s, i); ok && end > i {
			out = append(out, span{i, end})
			i = end - 1
		}
	}
	return out
}

// has reports whether any pattern matches anywhere.
func (ps *patterns) has(s *speech) bool {
	for i := 0; i <= len(s.toks); i++ {
		if _, _, ok := ps.at(s, i); ok {
			return true
		}
	}
	return false
}

// starts returns the end of the longest match at the beginning.
func (ps *patterns) starts(s *speech) (end int, ok bool) {
	end, _, ok = ps.at(s, 0)
	return end, ok
}

// compiler reads patterns of one language.
type compiler struct {
	lang  *Language
	lists map[string][]string
	stem  bool // compare stems
	depth int
}

func (c *compiler) all(list []string) ([]pattern, error) {
	out := make([]pattern, 0, len(list))
	for _, s := range list {
		p, err := c.one(s)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (c *compiler) one(src string) (pattern, error) {
	p := pattern{src: src}
	for _, f := range strings.Fields(src) {
		if rest, ok := strings.CutPrefix(f, "^"); ok {
			p.nodes, f = append(p.nodes, node{kind: nodeStart}), rest
		}
		end := len(f) > 1 && strings.HasSuffix(f, "$")
		f = strings.TrimSuffix(f, "$")
		ns, err := c.field(f)
		if err != nil {
			return p, fmt.Errorf("pattern %q: %w", src, err)
		}
		p.nodes = append(p.nodes, ns...)
		if end {
			p.nodes = append(p.nodes, node{kind: nodeEnd})
		}
	}
	if len(p.nodes) == 0 {
		return p, fmt.Errorf("pattern %q has no words", src)
	}
	return p, nil
}

func (c *compiler) field(f string) ([]node, error) {
	switch {
	case f == "*":
		return []node{{kind: nodeGap}}, nil
	case strings.HasPrefix(f, "<"):
		opt := strings.HasSuffix(f, "?")
		name := strings.TrimSuffix(strings.TrimSuffix(f[1:], "?"), ">")
		src, ok := c.lists[name]
		if !ok {
			return nil, fmt.Errorf("no list is called %q", name)
		}
		if c.depth > 4 {
			return nil, fmt.Errorf("list %q refers to itself", name)
		}
		c.depth++
		list, err := c.all(src)
		c.depth--
		return []node{{kind: nodeList, list: list, optional: opt}}, err
	}
	opt := len(f) > 1 && strings.HasSuffix(f, "?")
	f = strings.TrimSuffix(f, "?")
	f, exact := strings.CutPrefix(f, "=")
	form := c.form
	if exact {
		form = func(w string) string { return w }
	}
	n := node{kind: nodeWord, optional: opt, exact: exact}
	var out []node
	alts := strings.Split(f, "|")
	for _, a := range alts {
		toks := spoken(c.lang.Tokens(a))
		if len(toks) != 1 && len(alts) > 1 || len(toks) == 0 {
			return nil, fmt.Errorf("%q is not one word", a)
		}
		for _, t := range toks[:len(toks)-1] { // a hyphenated word is several
			out = append(out, node{kind: nodeWord, exact: exact, words: []string{form(t.Word)}})
		}
		n.words = append(n.words, form(toks[len(toks)-1].Word))
	}
	return append(out, n), nil
}

func (c *compiler) form(w string) string {
	if c.stem {
		return c.lang.stem(w)
	}
	return w
}
