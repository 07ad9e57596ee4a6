// SPDX-License-Identifier: Apache-2.0

package words

// speech is a row of tokens prepared for matching with the lists of one
// vocabulary: those of the language, or those of a lexicon.
type speech struct {
	toks  []Token
	ids   []uint32 // in a lexicon's vocabulary; nil: the tokens' own are those of the language
	lists [usualWide]uint64
	set   []uint64 // the lists that begin somewhere; nil until it is asked for
}

// usualWide is how wide the sets of a language are: sets that are wider need
// memory of their own.
const usualWide = 3

// id is the number of the word at i.
func (s *speech) id(i int) uint32 {
	if s.ids != nil {
		return s.ids[i]
	}
	return s.toks[i].id
}

// begun are the lists of the vocabulary that can begin somewhere in the speech.
func (s *speech) begun(v *vocab) []uint64 {
	if s.set == nil {
		if s.set = s.lists[:]; v.wide > usualWide {
			s.set = make([]uint64, v.wide)
		}
		for i := range s.toks {
			v.join(s.set, s.id(i))
		}
	}
	return s.set
}
