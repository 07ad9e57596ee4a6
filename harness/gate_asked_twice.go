// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
)

// askedTwice looks at a reply that asks the driver to choose. When the
// assistant's reply just before, or the one before that, asked for the same
// and the driver has answered since, the question must not be put again: what
// the driver said is used, or it is said what cannot be done. Two questions
// ask for the same when they are about the same writes and share most of
// their words. A question about exact calls that the harness itself put again
// is no draft and is not judged.
func askedTwice(v *View) []Finding {
	if !v.speaks() || v.Draft.Report || v.turn < 2 || v.listens() == nil {
		return nil
	}
	var before []string
	for _, q := range v.queries(v.Draft.Text) {
		if !q.Choice {
			continue
		}
		if before == nil {
			before = v.history.spoken(maxAsked)
		}
		for _, text := range before {
			for _, old := range v.queries(text) {
				if old.Choice && v.same(q, old) {
					return []Finding{{Action: Say, Note: "the driver was asked this already: " + old.Sentence +
						" Use the answer, or say what cannot be known or done without it; do not ask again"}}
				}
			}
		}
	}
	return nil
}

// minAsked is how many different words a question has that can be recognised.
const minAsked = 6

// maxAsked is how many replies back a question is the same question.
const maxAsked = 2

// same reports whether two questions ask for the same.
func (v *View) same(a, b words.Query) bool {
	x, y := bag(a.Sentence), bag(b.Sentence)
	n := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			n++
		}
	}
	return min(len(x), len(y)) >= minAsked && 5*n >= 4*min(len(x), len(y)) && 2*n >= max(len(x), len(y))
}

// bag are the words of a text, each once.
func bag(text string) []string {
	w := strings.FieldsFunc(strings.ToLower(text), notIdent)
	slices.Sort(w)
	return slices.Compact(w)
}

// spoken returns the last n texts of the assistant, newest first.
func (h *history) spoken(n int) []string {
	var out []string
	for i := len(h.messages) - 1; i >= 0 && len(out) < n; i-- {
		if m := &h.messages[i]; m.Role == Assistant && m.Text != "" && len(m.Calls) == 0 {
			out = append(out, m.Text)
		}
	}
	return out
}
