// SPDX-License-Identifier: Apache-2.0

package words

// judgeOptions judges the answer to a question with several options. A bare
// yes chooses none of them.
func (a *answer) judgeOptions() (AnswerKind, int) {
	l := a.l
	opt, found := a.pick()
	_, leads := l.list("no").starts(a.all)
	switch {
	case a.asks:
		return a.whenAsked()
	case l.list("neither").has(a.all) && !a.yes && found == 0:
		return No, -1
	case a.no || a.negated:
		if a.yes || found > 0 || a.hedged {
			return Unclear, -1 // "not the first": it does not say yes to the other
		}
		if leads || len(a.strange()) <= 1 {
			return No, -1
		}
		return Topic, -1
	case a.hedged || l.list("either").has(a.all):
		return Unclear, -1
	case found > 1:
		return Unclear, -1
	case found == 1:
		return a.whenPicked(opt)
	case a.yes:
		return Unclear, -1
	}
	if k, _ := a.whenNeither(a.strange()); k == Topic {
		return Topic, -1
	}
	if a.reserved {
		return Change, -1
	}
	return Unclear, -1
}

// whenPicked judges an answer that names one option and denies nothing.
func (a *answer) whenPicked(opt int) (AnswerKind, int) {
	s := a.l.without(a.all, "prefer")
	for _, name := range []string{"first", "second", "third", "fourth", "last", "former", "latter"} {
		s = a.l.without(s, name) // "the first" is no reservation here
	}
	if a.l.list("reserve").has(a.labelless(s)) {
		return Change, -1 // the first, but only to 30
	}
	for _, t := range a.strange() {
		word := &speech{toks: []Token{t}}
		known := false
		for _, name := range []string{"option", "prefer", "first", "second", "third", "fourth", "last", "former", "latter", "verb"} {
			known = known || a.l.list(name).has(word)
		}
		if _, _, isNumber := a.numberOf(t); !known && !isNumber {
			return Change, -1
		}
	}
	return Yes, opt
}

// labelless takes the words of the labels out: "half" is no reservation when
// a label says it.
func (a *answer) labelless(s *speech) *speech {
	var toks []Token
	for _, t := range s.toks {
		if !a.known[a.l.stem(t.Word)] {
			toks = append(toks, t)
		}
	}
	return &speech{toks: toks}
}

// pick finds which options the answer names. found is how many.
func (a *answer) pick() (opt, found int) {
	n := len(a.offer.Options)
	named := make([]bool, n)
	for i, name := range []string{"first", "second", "third", "fourth"} {
		if i < n && a.l.list(name).has(a.all) {
			named[i] = true
		}
	}
	if a.l.list("last").has(a.all) || n == 2 && a.l.list("latter").has(a.all) {
		named[n-1] = true
	}
	if n == 2 && a.l.list("former").has(a.all) {
		named[0] = true
	}
	any := false
	for _, b := range named {
		any = any || b
	}
	if !any {
		a.pickByLabel(named)
	}
	for i, b := range named {
		if b {
			opt = i
			found++
		}
	}
	if found == 0 {
		return a.pickByNumber()
	}
	return opt, found
}

// pickByLabel marks the options of which a distinctive word was said: one
// that stands in its label and in no other.
func (a *answer) pickByLabel(named []bool) {
	count := map[string]int{}
	labels := make([]map[string]bool, len(named))
	for i, label := range a.offer.Options {
		labels[i] = map[string]bool{}
		for _, t := range a.l.read(label).words() {
			if w := a.l.stem(t.Word); (!a.l.small[t.Word] || a.l.direction(t)) && !labels[i][w] {
				labels[i][w] = true
				count[w]++
			}
		}
	}
	for _, t := range a.all.toks {
		w := a.l.stem(t.Word)
		for i := range labels {
			if labels[i][w] && count[w] == 1 {
				named[i] = true
			}
		}
	}
}

// direction reports whether the word alone is a direction: on, off, up.
func (l *Language) direction(t Token) bool {
	s := &speech{toks: []Token{t}}
	for _, name := range []string{"on", "off", "open", "close", "up", "down"} {
		if l.list(name).has(s) {
			return true
		}
	}
	return false
}

// pickByNumber reads "option two", "number 2", or a number alone.
func (a *answer) pickByNumber() (opt, found int) {
	s := a.l.without(a.all, "option")
	for _, t := range a.l.dropFillers(s.toks) {
		if v, _, ok := a.numberOf(t); ok {
			if v != float64(int(v)) || int(v) < 1 || int(v) > len(a.offer.Options) {
				return -1, 0
			}
			opt = int(v) - 1
			found++
		}
	}
	if found > 1 {
		return -1, found
	}
	return opt, found
}

func (a *answer) numberOf(t Token) (v float64, n int, ok bool) {
	q, n, _ := a.l.numberAt([]Token{t}, 0)
	return q.Value, n, n == 1
}
