// SPDX-License-Identifier: Apache-2.0

package words

import "math/bits"

// vocab numbers the words of a language's lists, or of a lexicon's, and knows for
// each the patterns that it can begin. Most words of a text begin none, and
// most lists begin nowhere in it, so that they need not be looked for there.
type vocab struct {
	ids    numbering
	wide   int          // parts of a set of lists
	begun  []begun      // by word and part
	starts [][]*pattern // of every word and list, in this order
}

// begun is the part of a word's set of lists that 64 lists have in it.
type begun struct {
	lists  uint64 // that the word can begin
	starts uint32 // where the patterns of the first of them are
}

// newVocab makes the vocabulary of lists that were compiled, and of those
// that they refer to. form brings a word to the form in which it is compared.
func newVocab(lists []*patterns, form func(string) string) *vocab {
	b := vocabBuilder{v: &vocab{}, form: form}
	for _, ps := range lists {
		b.add(ps)
	}
	b.v.wide = (len(b.lists) + 63) / 64
	b.index()
	return b.v
}

// join adds the lists that the word of that number begins to a set.
func (v *vocab) join(set []uint64, id uint32) {
	for k, b := range v.begun[int(id)*v.wide:][:v.wide] {
		set[k] |= b.lists
	}
}

// set is the set of lists of the vocabulary.
func (v *vocab) set(lists ...*patterns) []uint64 {
	out := make([]uint64, v.wide)
	for _, ps := range lists {
		out[ps.bit/64] |= 1 << (ps.bit % 64)
	}
	return out
}

// beginsAny reports whether the word of that number can begin a pattern of one
// of the lists of the set.
func (v *vocab) beginsAny(id uint32, set []uint64) bool {
	for k, b := range v.begun[int(id)*v.wide:][:v.wide] {
		if b.lists&set[k] != 0 {
			return true
		}
	}
	return false
}

// beginning returns the patterns of the list that the word of that number can
// begin; nil: it begins none of its own.
func (v *vocab) beginning(id uint32, list int) []*pattern {
	b, bit := &v.begun[int(id)*v.wide+list/64], uint64(1)<<(list%64)
	if b.lists&bit == 0 {
		return nil
	}
	return v.starts[int(b.starts)+bits.OnesCount64(b.lists&(bit-1))]
}

type vocabBuilder struct {
	v     *vocab
	form  func(string) string
	lists []*patterns
}

// add numbers a list and its words.
func (b *vocabBuilder) add(ps *patterns) {
	if ps.vocab != nil {
		return
	}
	ps.vocab, ps.bit = b.v, len(b.lists)
	b.lists = append(b.lists, ps)
	for i := range ps.all {
		for k := range ps.all[i].nodes {
			n := &ps.all[i].nodes[k]
			if n.list != nil {
				b.add(n.list)
			}
			for at, w := range n.words {
				if n.exact {
					w = b.form(w)
				}
				if id := b.v.ids.add(w); at == 0 {
					n.id = id
				} else {
					n.more = append(n.more, id)
				}
			}
		}
	}
}

// index finds out, for every word, what can begin with it.
func (b *vocabBuilder) index() {
	type start struct {
		list     int
		patterns []*pattern
	}
	byWord := make([][]start, b.v.ids.n+1)
	for _, ps := range b.lists {
		here := map[uint32][]*pattern{}
		var words []uint32
		each(ps, func(p *pattern, ids []uint32, any bool) {
			if any {
				ps.rest = append(ps.rest, p)
			}
			words = append(words, ids...)
		})
		each(ps, func(p *pattern, ids []uint32, any bool) {
			if any {
				ids = words
			}
			for _, id := range ids {
				if on := here[id]; len(on) == 0 || on[len(on)-1] != p {
					here[id] = append(on, p)
				}
			}
		})
		for id, on := range here {
			byWord[id] = append(byWord[id], start{ps.bit, on})
		}
	}
	b.v.begun = make([]begun, len(byWord)*b.v.wide)
	for id, lists := range byWord {
		parts := b.v.begun[id*b.v.wide:][:b.v.wide]
		for _, l := range lists {
			p := &parts[l.list/64]
			if p.lists == 0 {
				p.starts = uint32(len(b.v.starts))
			}
			p.lists |= 1 << (l.list % 64)
			b.v.starts = append(b.v.starts, l.patterns)
		}
	}
}

// each goes over the patterns with the words that they can begin with; any is
// set when it may be every word, or none.
func each(ps *patterns, do func(p *pattern, ids []uint32, any bool)) {
	for i := range ps.all {
		ids, any := firstOf(ps.all[i].nodes)
		do(&ps.all[i], ids, any)
	}
}

func firstOf(nodes []node) (ids []uint32, any bool) {
	if len(nodes) == 0 {
		return nil, true
	}
	optional := false
	switch n := &nodes[0]; n.kind {
	case nodeGap, nodeEnd:
		return nil, true
	case nodeStart:
		optional = true
	case nodeWord:
		ids, optional = n.ids(), n.optional
	case nodeList:
		each(n.list, func(_ *pattern, first []uint32, all bool) {
			ids, any = append(ids, first...), any || all
		})
		optional = n.optional
	}
	if optional && !any {
		rest, all := firstOf(nodes[1:])
		return append(ids, rest...), all
	}
	return ids, any
}
