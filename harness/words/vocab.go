// SPDX-License-Identifier: Apache-2.0

package words

// vocab knows, for each word that a phrase can begin with, the lists of
// phrases that it can begin. Most words of a text begin none, and most lists
// begin nowhere in it, so that they need not be looked for there.
type vocab struct {
	stems bool              // words are compared by stem
	ids   map[string]uint32 // 0 is for every other word
	lists int               // lists that were added
	wide  int               // words of 64 bits in a set
	sets  []uint64          // by id: the lists that the word begins
}

// maxWide is how wide the sets of a language are at most: it has fewer than 192
// lists and units.
const maxWide = 3

// newVocab makes the vocabulary of lists that were compiled.
func newVocab(lists []*patterns, stems bool) *vocab {
	v := &vocab{stems: stems, ids: map[string]uint32{}, wide: (len(lists) + 63) / 64}
	v.sets = make([]uint64, v.wide)
	for _, ps := range lists {
		bit := v.lists
		v.lists++
		words, any := ps.firsts()
		if any {
			continue // it may begin with whatever word
		}
		ps.vocab, ps.bit = v, bit
		for _, w := range words {
			v.set(w, bit)
		}
	}
	return v
}

func (v *vocab) set(w string, bit int) {
	id, ok := v.ids[w]
	if !ok {
		id = uint32(len(v.ids) + 1)
		v.ids[w] = id
		v.sets = append(v.sets, make([]uint64, v.wide)...)
	}
	v.sets[int(id)*v.wide+bit/64] |= 1 << (bit % 64)
}

// join adds the lists that the word of that id begins to a set.
func (v *vocab) join(set []uint64, id uint32) {
	for k, x := range v.sets[int(id)*v.wide:][:v.wide] {
		set[k] |= x
	}
}

// begins reports whether the word of that id can begin a phrase of the list.
func (v *vocab) begins(id uint32, bit int) bool {
	return v.sets[int(id)*v.wide+bit/64]&(1<<(bit%64)) != 0
}

// firsts returns the words that the patterns can begin with, in the form in
// which they are compared; any is set when it may be every word.
func (ps *patterns) firsts() (words []string, any bool) {
	for i := range ps.all {
		w, all := firstOf(ps.all[i].nodes, ps.form)
		if all {
			return nil, true
		}
		words = append(words, w...)
	}
	return words, false
}

func firstOf(nodes []node, form func(string) string) (words []string, any bool) {
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
		optional = n.optional
		for _, w := range n.words {
			if n.exact && form != nil {
				w = form(w)
			}
			words = append(words, w)
		}
	case nodeList:
		optional = n.optional
		for i := range n.list {
			w, all := firstOf(n.list[i].nodes, form)
			if all {
				return nil, true
			}
			words = append(words, w...)
		}
	}
	if optional {
		rest, all := firstOf(nodes[1:], form)
		return append(words, rest...), all
	}
	return words, false
}
