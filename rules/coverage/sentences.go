// SPDX-License-Identifier: Apache-2.0

package coverage

// Sentences lists the sentences of a policy in their order, with nothing said
// about what becomes of them.
func Sentences(policy string) []Sentence {
	text := read(policy)
	var out []Sentence
	for _, s := range text.sentences {
		out = append(out, Sentence{Text: text.flat[s.from:s.to], Line: s.line, Status: NotCovered})
	}
	return out
}
