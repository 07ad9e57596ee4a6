// SPDX-License-Identifier: Apache-2.0

package words

import (
	"slices"
	"strings"
)

// firstSentence reads an answer of several sentences whose first is a plain
// yes. What follows is heard as a request of its own, unless it takes the yes
// back or changes what it is for.
func (l *Language) firstSentence(a *answer) (Answer, bool) {
	ss := l.sentences(a.text)
	if len(ss) < 2 {
		return Answer{}, false
	}
	at := ss[1].toks[0].From
	first := l.newAnswer(a.text[:at], a.offer)
	if k, opt := first.judge(); k == Yes && l.keeps(a.text[at:], first) {
		return Answer{Kind: Yes, Option: opt, Rest: strings.TrimSpace(a.text[at:])}, true
	}
	return Answer{}, false
}

// keeps reports whether what is said behind a yes lets it stand: nothing in
// it is negated, exempted or put off, and it names no other number for what
// was asked.
func (l *Language) keeps(text string, yes *answer) bool {
	r := l.read(text)
	if _, but := l.list("but").starts(&speech{toks: r.words()}); but {
		return false
	}
	for _, c := range l.Utterance(text).Clauses {
		if c.Negated || c.Except || c.Deferred || c.Retracted {
			return false
		}
	}
	asked := l.read(yes.offer.Question).numbers()
	if len(asked) == 0 {
		return true
	}
	for _, q := range r.numbers() {
		if !slices.ContainsFunc(asked, func(x Quantity) bool { return x.Value == q.Value }) {
			return false
		}
	}
	return true
}
