// SPDX-License-Identifier: Apache-2.0

package words

// patterns is a list of patterns. A vocabulary knows where they can begin, see
// [newVocab]; before it does they match nowhere.
type patterns struct {
	all   []pattern
	vocab *vocab
	bit   int        // the list's number there
	rest  []*pattern // those that can begin with words the vocabulary does not know, or with none
}

// beginning returns the patterns that can match at i, in the list's order.
func (ps *patterns) beginning(s *speech, i int) []*pattern {
	if ps.vocab != nil && i < len(s.toks) {
		if here := ps.vocab.beginning(s.id(i), ps.bit); here != nil {
			return here
		}
	}
	return ps.rest
}

// anywhere reports whether a pattern can begin in the speech at all.
func (ps *patterns) anywhere(s *speech) bool {
	return len(ps.rest) > 0 || ps.vocab != nil && s.begun(ps.vocab)[ps.bit/64]&(1<<(ps.bit%64)) != 0
}

// at returns the end of the longest pattern that matches at i, and the
// positions it used.
func (ps *patterns) at(s *speech, i int) (end int, used []int, ok bool) {
	for _, p := range ps.beginning(s, i) {
		if e, u, k := p.match(s, i); k && e > i && e >= end {
			end, used, ok = e, u, true
		}
	}
	return end, used, ok
}

// ends is [patterns.at] for those who do not ask for the positions.
func (ps *patterns) ends(s *speech, i int) (end int, ok bool) {
	for _, p := range ps.beginning(s, i) {
		if e, k := p.ends(s, i); k && e > i && e >= end {
			end, ok = e, true
		}
	}
	return end, ok
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
		if end, ok := ps.ends(s, i); ok {
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
