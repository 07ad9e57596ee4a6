// SPDX-License-Identifier: Apache-2.0

package words

import (
	"slices"
	"strings"
)

func (a *answer) judge() (AnswerKind, int) {
	if len(a.all.toks) == 0 {
		return Unclear, -1
	}
	if len(a.offer.Options) > 1 {
		return a.judgeOptions()
	}
	strange := a.strange()
	switch {
	case a.asks:
		return a.whenAsked()
	case a.l.list("keep").has(a.all) && !a.yes:
		return No, -1
	case a.keepsAll():
		return Unclear, -1 // yes, leave it
	case a.yes && (a.no || a.negated):
		if len(a.content) > 0 || a.reserved && len(strange) > 0 {
			return Change, -1 // yes but not the rear one
		}
		return Unclear, -1 // yeah, no
	case a.no || a.negated:
		return a.whenDenied(strange)
	case a.hedged:
		return Unclear, -1
	case a.yes:
		return a.whenAgreed(strange)
	}
	return a.whenNeither(strange)
}

// keepsAll reports whether something is to stay as it is that the question
// did not want to stay.
func (a *answer) keepsAll() bool {
	return slices.ContainsFunc(a.l.list("keep").find(a.all), func(sp span) bool { return !a.isKnown(sp) })
}

// whenAsked judges an answer that is itself a question.
func (a *answer) whenAsked() (AnswerKind, int) {
	if len(a.content) == 0 && (a.yes || a.hedged || !a.asksBack()) {
		return Unclear, -1
	}
	return Topic, -1
}

func (a *answer) asksBack() bool {
	_, ok := a.l.list("ask").starts(a.all)
	return ok
}

// whenDenied judges an answer that holds a no or a negator and no yes.
func (a *answer) whenDenied(strange []Token) (AnswerKind, int) {
	l := a.l
	if _, ok := l.list("cancel").starts(a.all); ok && a.no && !a.negated && len(a.content) > 0 {
		return Topic, -1 // cancel the reservation
	}
	_, leads := l.list("no").starts(a.all)
	if a.hedged && !leads {
		return Unclear, -1 // I'm not sure
	}
	if l.list("correct").has(a.all) && len(a.content) > 0 {
		return Change, -1 // no, I meant the other one
	}
	_, nay := l.list("nay").starts(a.all)
	if _, command := l.list("verb").starts(&speech{toks: a.content}); command && nay && !a.negatedAfterLead() {
		return Change, -1 // no, open it halfway
	}
	if leads && a.startsNegated() || len(strange) <= 1 {
		if len(l.Quantities(a.content)) > 0 {
			return Change, -1 // no, 30 percent
		}
		return No, -1
	}
	return Topic, -1
}

// startsNegated reports whether the answer begins with a no or a negator.
func (a *answer) startsNegated() bool {
	_, no := a.l.list("no").starts(a.all)
	_, neg := a.l.list("negator").starts(a.all)
	return no || neg
}

// negatedAfterLead reports whether a negator follows the leading no.
func (a *answer) negatedAfterLead() bool {
	end, _ := a.l.list("no").starts(a.all)
	return a.l.list("negator").has(&speech{toks: a.all.toks[min(max(end, 1), len(a.all.toks)):]})
}

// whenAgreed judges an answer with a yes and nothing against it.
func (a *answer) whenAgreed(strange []Token) (AnswerKind, int) {
	switch {
	case a.reserved, a.opposed:
		return Change, -1
	case len(strange) == 0:
		if len(a.l.Quantities(a.content)) > 0 && !a.sameNumbers() {
			return Change, -1
		}
		return Yes, 0
	case len(strange) < len(a.content) || len(a.l.Quantities(strange)) > 0:
		return Change, -1 // about what was asked, but something else of it
	}
	if _, verb := a.l.list("verb").starts(&speech{toks: a.content}); verb {
		return Change, -1
	}
	return Unclear, -1
}

// sameNumbers reports whether the answer names only numbers of the question.
func (a *answer) sameNumbers() bool {
	return !slices.ContainsFunc(a.l.Quantities(a.all.toks), func(q Quantity) bool { return !a.asked(q) })
}

// asked reports whether the question names the quantity.
func (a *answer) asked(q Quantity) bool {
	asked := a.l.read(a.offer.Question + " . " + strings.Join(a.offer.Options, " . ")).numbers()
	return slices.ContainsFunc(asked, func(x Quantity) bool { return x.Value == q.Value && (x.Unit == q.Unit || q.Unit == "") })
}

// whenNeither judges an answer with neither yes nor no.
func (a *answer) whenNeither(strange []Token) (AnswerKind, int) {
	l := a.l
	if a.asksBack() {
		return Topic, -1
	}
	lean := &speech{toks: l.dropFillers(a.all.toks)}
	if _, verb := l.list("verb").starts(lean); verb {
		switch {
		case len(strange) == 0 && !a.reserved && a.repeats():
			return Yes, 0
		case len(strange) < len(a.content):
			return Change, -1
		}
		return Topic, -1
	}
	if _, ok := l.list("request").starts(lean); ok {
		return Topic, -1
	}
	if _, ok := l.list("wish").starts(lean); ok {
		return Topic, -1
	}
	switch {
	case a.reserved:
		return Change, -1 // only halfway
	case len(a.content) == 0:
		return Unclear, -1
	case len(strange) == 0:
		return Change, -1 // a part of what was asked
	case len(strange) < 2:
		return Unclear, -1
	case l.list("finite").has(lean) || len(strange) > 3:
		return Topic, -1
	}
	return Change, -1 // "the rear right one"
}

// repeats reports whether a command says again the whole of what was asked:
// the one thing of a question that names but one, and its numbers.
func (a *answer) repeats() bool {
	label := a.offer.Question
	if len(a.offer.Options) == 1 && a.offer.Options[0] != "" {
		label = a.offer.Options[0]
	}
	if !a.sameNumbers() {
		return false
	}
	said := map[string]bool{}
	for _, t := range a.content {
		said[a.l.stem(t.Word)] = true
	}
	for _, t := range a.contentOf(&speech{toks: a.l.read(label).words()}) {
		if !said[a.l.stem(t.Word)] {
			return false
		}
	}
	return true
}
