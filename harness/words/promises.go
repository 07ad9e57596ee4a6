// SPDX-License-Identifier: Apache-2.0

package words

import "slices"

// Promises returns the sentences of a reply that say what will be done, or ask
// whether it should be. One that refuses promises nothing.
func (l *Language) Promises(text string) []string { return l.holding(text, "claim-promise") }

// HeldOut returns the sentences of a reply that say what will, can or could be
// done, or ask whether it should be. One that refuses holds out nothing.
func (l *Language) HeldOut(text string) []string {
	return l.holding(text, "claim-promise", "claim-offer")
}

// holding returns the sentences in which one of the lists stands, and no refusal.
func (l *Language) holding(text string, lists ...string) []string {
	r := l.read(text)
	var out []string
	for _, s := range r.sentences() {
		sp := s.speech()
		if slices.ContainsFunc(lists, func(name string) bool { return l.list(name).has(sp) }) && !l.list("claim-refusal").has(sp) {
			out = append(out, s.in(r.text))
		}
	}
	return out
}
