// SPDX-License-Identifier: Apache-2.0

package words

// Promises returns the sentences of a reply that say what will be done, or ask
// whether it should be. One that refuses promises nothing.
func (l *Language) Promises(text string) []string {
	text = l.Normal(text)
	var out []string
	for _, s := range l.sentences(text) {
		sp := &speech{toks: spoken(s.toks)}
		if l.list("claim-promise").has(sp) && !l.list("claim-refusal").has(sp) {
			out = append(out, text[s.toks[0].From:s.toks[len(s.toks)-1].To])
		}
	}
	return out
}
