// SPDX-License-Identifier: Apache-2.0

package words

import "math/bits"

// numbering gives words their numbers, from 1. A word of a text is looked up in
// it before anything else can be, and most are short: those of up to 16 bytes
// stand in the table itself, so that a look-up reads one place in memory.
// A map reads three.
type numbering struct {
	slots []numbered        // a power of two of them, at least half of them empty
	long  map[string]uint32 // words of more than 16 bytes
	n     uint32
}

// numbered is one short word: its first and its last eight bytes, or what
// there is of them.
type numbered struct {
	first, last uint64
	len         uint32
	id          uint32 // 0: the slot is empty
}

// number returns the number of a word; 0: it has none.
func (t *numbering) number(w string) uint32 {
	if len(w) > 16 {
		return t.long[w]
	}
	if len(t.slots) == 0 {
		return 0
	}
	return t.slots[t.find(shortened(w))].id
}

// add returns the number of a word, which gets one if it has none.
func (t *numbering) add(w string) uint32 {
	if id := t.number(w); id != 0 {
		return id
	}
	t.n++
	if len(w) > 16 {
		if t.long == nil {
			t.long = map[string]uint32{}
		}
		t.long[w] = t.n
		return t.n
	}
	if 2*int(t.n) > len(t.slots) {
		old := t.slots
		t.slots = make([]numbered, max(64, 2*len(old)))
		for _, s := range old {
			if s.id != 0 {
				t.slots[t.find(s)] = s
			}
		}
	}
	s := shortened(w)
	s.id = t.n
	t.slots[t.find(s)] = s
	return t.n
}

// find returns where the word is, or the empty slot where it would be.
func (t *numbering) find(w numbered) int {
	mask := len(t.slots) - 1
	hi, lo := bits.Mul64(w.first^uint64(w.len), w.last^0x9e3779b97f4a7c15)
	for i := int(hi^lo) & mask; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.id == 0 || s.first == w.first && s.last == w.last && s.len == w.len {
			return i
		}
	}
}

// shortened is a word of up to 16 bytes without a number. No two words are
// the same.
func shortened(w string) numbered {
	s := numbered{len: uint32(len(w))}
	if n := len(w); n >= 8 {
		s.first, s.last = eight(w), eight(w[n-8:])
		return s
	}
	for i := range len(w) {
		s.first |= uint64(w[i]) << (8 * i)
	}
	return s
}

// eight are the first eight bytes of a text as a number.
func eight(w string) uint64 {
	_ = w[7]
	return uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
		uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
}
