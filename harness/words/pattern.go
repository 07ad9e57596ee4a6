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
	optional bool
	exact    bool      // compare words although the rest compares stems
	id       uint32    // the number of the first word in the vocabulary
	more     []uint32  // those of its alternatives
	words    []string  // all of them, as they are compared
	list     *patterns // of a nodeList
}

// ids are the numbers of the node's words.
func (n *node) ids() []uint32 {
	if len(n.words) == 0 {
		return nil
	}
	return append([]uint32{n.id}, n.more...)
}

// gapMax is how many words a * may skip.
const gapMax = 6

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
		for _, p := range n.list.beginning(s, i) {
			mid, at, ok := matchNodes(p.nodes, s, i, used, keep)
			if !ok {
				continue
			}
			if end, at, ok := matchNodes(rest, s, mid, at, keep); ok && (!found || end > bestEnd) {
				bestEnd, bestAt, found = end, at, true
			}
		}
		return bestEnd, bestAt, found
	}
	if n.isWord(s, i) {
		next := used
		if keep {
			next = append(used[:len(used):len(used)], i)
		}
		if end, at, ok := matchNodes(rest, s, i+1, next, keep); ok {
			return end, at, true
		}
	}
	if n.optional {
		return matchNodes(rest, s, i, used, keep)
	}
	return 0, nil, false
}

// isWord reports whether one of the node's words stands at i.
func (n *node) isWord(s *speech, i int) bool {
	switch {
	case i >= len(s.toks):
		return false
	case n.exact:
		return slices.Contains(n.words, s.toks[i].Word)
	}
	id := s.id(i)
	return id == n.id && id != 0 || slices.Contains(n.more, id)
}
