// SPDX-License-Identifier: Apache-2.0

package words

import (
	"slices"
	"strings"
)

// AnswerKind says what an answer to a question of ours means.
type AnswerKind uint8

// The kinds of an answer. The zero value is no answer at all.
const (
	Unclear AnswerKind = iota // ask once more
	Yes                       // to exactly what was asked
	No                        // drop it
	Change                    // not this, but something like it: consent is void
	Topic                     // about something else: consent is void
)

var answerKinds = [...]string{"unclear", "yes", "no", "change", "topic"}

func (k AnswerKind) String() string { return answerKinds[k] }

// Offer is the question an answer belongs to.
type Offer struct {
	Question string   // as it was spoken
	Options  []string // the labels; one or none: a yes-or-no question
}

// Answer is what an answer means.
type Answer struct {
	Kind AnswerKind
	// Option is the position of the chosen label. It is 0 on a Yes to a
	// yes-or-no question and -1 on everything but a Yes.
	Option int
	// Rest is what was said besides a yes or no: a further request, to be
	// treated as an utterance of its own.
	Rest string
}

// Answer judges the answer to an offer. A Yes contains no negation and no
// reservation, and says nothing that the question did not name; everything
// doubtful is Unclear. It judges words, never parts of words.
func (l *Language) Answer(text string, o Offer) Answer {
	a := l.newAnswer(text, o)
	k, opt := a.judge()
	if k != Yes && k != No && a.rest == "" {
		if out, ok := l.firstSentence(a); ok {
			return out
		}
	}
	if a.rest != "" && (k == Unclear || k == Yes && a.leadsOver()) {
		k = Topic // whatever it answers, it asks for something else
	}
	out := Answer{Kind: k, Option: -1}
	if k == Yes {
		out.Option = opt
	}
	if k == Yes || k == No {
		out.Rest = a.rest
	}
	return out
}

// answer is an answer taken apart.
type answer struct {
	l     *Language
	offer Offer
	text  string
	all   *speech // every word
	asks  bool    // ends with a question mark

	yes, no, negated, hedged, reserved bool
	content                            []Token // words that none of the lists claims
	known                              map[string]bool
	opposed                            bool   // goes the other way than the question
	rest                               string // a further request behind the yes or no
	full                               bool   // a sentence ends before it
}

func (l *Language) newAnswer(text string, o Offer) *answer {
	text = l.Normal(text)
	a := &answer{l: l, offer: o, text: text, known: map[string]bool{}}
	for _, t := range l.read(o.Question + " . " + strings.Join(o.Options, " . ")).words() {
		a.known[l.stem(t.Word)] = true
	}
	// "Turn them on" answers "shall I switch on the lights": words for the same
	// direction name nothing new.
	question := &speech{toks: l.read(o.Question).words()}
	for _, dir := range []string{"on", "off", "open", "close"} {
		if !l.list(dir).has(question) {
			continue
		}
		for _, phrase := range l.raw[dir] {
			for _, t := range l.read(phrase).words() {
				a.known[l.stem(t.Word)] = true
			}
		}
	}
	a.split()
	a.scan()
	return a
}

// split takes a further request off the end: a clause of its own that is
// neither part of the answer nor about what was asked.
func (a *answer) split() {
	toks := a.l.read(a.text).toks
	for _, t := range toks {
		if t.Kind == Full {
			a.asks = t.Text == "?" || t.Text == "？"
		}
	}
	head := toks
	for i := range toks {
		if i == 0 || !a.boundary(toks, i) {
			continue
		}
		tail := spoken(toks[i:])
		if a.isOwn(tail) && a.isAnswer(spoken(toks[:i])) {
			head, a.rest = toks[:i], strings.TrimLeft(a.text[a.start(toks, i):], " ,;.!")
			a.asks, a.full = false, toks[i-1].Kind == Full
			break
		}
	}
	a.all = &speech{toks: spoken(head)}
}

// leadsOver reports whether what stands before a further request only leads
// over to it, as "okay" and "right" do: "right, where were we?". A sentence of
// its own is an answer.
func (a *answer) leadsOver() bool {
	return !a.full && a.l.allOf(a.all, "weak", "filler")
}

// boundary reports whether a new clause may begin at token i.
func (a *answer) boundary(toks []Token, i int) bool {
	if toks[i-1].Kind == Pause || toks[i-1].Kind == Full {
		return true
	}
	name, n := a.l.joiner(toks, i)
	return n > 0 && (name == "and" || name == "then")
}

// start is the offset of what is said from token i on, joining word left out.
func (a *answer) start(toks []Token, i int) int {
	for i < len(toks)-1 {
		_, n := a.l.joiner(toks, i)
		if n == 0 {
			break
		}
		i += n
	}
	return toks[min(i, len(toks)-1)].From
}

// isOwn reports whether the words are a request or question about something
// that was not asked.
func (a *answer) isOwn(toks []Token) bool {
	joined := false
	for len(toks) > 0 {
		name, n := a.l.joiner(toks, 0)
		if n == 0 {
			break
		}
		if name == "but" {
			return false // a reservation
		}
		joined = true
		toks = toks[n:]
	}
	if a.l.list("negator").has(&speech{toks: toks}) {
		return false // yes, do not open it
	}
	if !joined && a.sameWay(toks) {
		return false // yes, open the trunk: another thing instead
	}
	s := &speech{toks: a.l.dropFillers(toks)}
	if _, hedged := a.l.list("hedge").starts(s); hedged || a.l.list("reserve").has(s) || a.l.hasPronoun(s) {
		return false // about what was asked
	}
	_, verb := a.l.list("verb").starts(s)
	_, request := a.l.list("request").starts(s)
	_, ask := a.l.list("ask").starts(s)
	_, wish := a.l.list("wish").starts(s)
	if !verb && !request && !ask && !wish {
		return false
	}
	if end, ok := a.l.list("yes").starts(s); ok && end == len(s.toks) {
		return false // "do it"
	}
	if _, ok := a.l.list("no").starts(s); ok {
		return false // "leave it"
	}
	news := 0
	for _, t := range a.contentOf(s) {
		if a.l.list("verb").has(&speech{toks: []Token{t}}) {
			continue
		}
		if a.known[a.l.stem(t.Word)] {
			return false
		}
		news++
	}
	return news > 0
}

// ways are the directions that things go, each with the other one.
var ways = [...][2]string{{"on", "off"}, {"open", "close"}}

// sameWay reports whether the words are about going the way of the question,
// or back.
func (a *answer) sameWay(toks []Token) bool {
	s, question := &speech{toks: toks}, a.question()
	goes := func(s *speech, w [2]string) bool { return a.l.list(w[0]).has(s) || a.l.list(w[1]).has(s) }
	return slices.ContainsFunc(ways[:], func(w [2]string) bool { return goes(question, w) && goes(s, w) })
}

// question are the words of what was asked.
func (a *answer) question() *speech { return &speech{toks: a.l.read(a.offer.Question).words()} }

// goesAgainst reports whether words that nothing else claims go the other way
// than the question: "yes, close it" to whether it shall be opened. Before a
// number a direction is none.
func (a *answer) goesAgainst(used []bool) bool {
	question := a.question()
	for _, w := range ways {
		for k, dir := range w {
			if !a.l.list(dir).has(question) || a.l.list(w[1-k]).has(question) {
				continue
			}
			for _, sp := range a.l.list(w[1-k]).find(a.all) {
				if !slices.Contains(used[sp.from:sp.to], true) && (sp.to == len(a.all.toks) || !a.isNumber(sp.to)) {
					return true
				}
			}
		}
	}
	return false
}

// isNumber reports whether a quantity begins at token i.
func (a *answer) isNumber(i int) bool {
	return slices.ContainsFunc(a.l.Quantities(a.all.toks), func(q Quantity) bool { return q.From <= i && i < q.To })
}

// hasPronoun reports whether a word like "it" stands for a thing: no word
// follows that it could belong to, as in "that radio".
func (l *Language) hasPronoun(s *speech) bool {
	for i := range s.toks {
		end, ok := l.list("it").ends(s, i)
		if !ok {
			continue
		}
		if end == len(s.toks) || l.small[s.toks[end].Word] || l.direction(s.toks[end]) || s.toks[end].Kind != Word {
			return true
		}
	}
	return false
}

// isAnswer reports whether the words hold a plain yes or no.
func (a *answer) isAnswer(toks []Token) bool {
	s := &speech{toks: toks}
	return a.l.list("yes").has(s) || a.l.list("no").has(s)
}

// contentOf returns the words that are neither small nor fillers.
func (a *answer) contentOf(s *speech) []Token {
	var out []Token
	for _, t := range a.l.dropFillers(s.toks) {
		if !a.l.small[t.Word] && t.Kind != Symbol {
			out = append(out, t)
		}
	}
	return out
}

// scan fills in what the lists find in the answer. Where phrases of several
// lists overlap the longest counts: "not sure" is a doubt and no "sure".
func (a *answer) scan() {
	l, s := a.l, a.all
	names := []string{"no", "hedge", "yes", "reserve", "neutral", "filler"}
	if l.allOf(s, "yes-alone", "filler") {
		names = []string{"yes-alone", "filler"}
	}
	type hit struct {
		span
		name string
	}
	var hits []hit
	for _, name := range names {
		for i := range s.toks {
			if end, ok := l.list(name).ends(s, i); ok && end > i {
				hits = append(hits, hit{span{i, end}, name})
			}
		}
	}
	slices.SortStableFunc(hits, func(x, y hit) int { return (y.to - y.from) - (x.to - x.from) })
	used := make([]bool, len(s.toks))
	var neutral []span
	for _, h := range hits {
		if slices.Contains(used[h.from:h.to], true) {
			continue
		}
		for i := h.from; i < h.to; i++ {
			used[i] = true
		}
		switch h.name {
		case "yes", "yes-alone":
			a.yes = a.yes || !a.governed(h.span)
		case "no":
			a.no = a.no || !a.isLabel(h.span)
		case "hedge":
			a.hedged = true
		case "reserve":
			a.reserved = a.reserved || !a.isKnown(h.span)
		case "neutral":
			neutral = append(neutral, h.span)
		}
	}
	a.opposed = a.goesAgainst(used)
	for _, sp := range l.list("negator").find(s) {
		if slices.ContainsFunc(neutral, func(n span) bool { return n.from <= sp.from && sp.to <= n.to }) {
			a.hedged = true // no problem: it denies nothing, and is no yes
			continue
		}
		a.negated = true
		for i := sp.from; i < sp.to; i++ {
			used[i] = true
		}
	}
	for i, t := range s.toks {
		if !used[i] && !l.small[t.Word] && t.Kind != Symbol {
			a.content = append(a.content, t)
		}
	}
	for _, q := range l.Quantities(s.toks) {
		if a.asked(q) {
			for _, t := range s.toks[q.From:q.To] {
				a.known[l.stem(t.Word)] = true
			}
		}
	}
}

// governed reports whether a negator turns the phrase around: it stands
// before it in the same breath, or right behind it. A "no" that stands alone
// turns nothing around: "no, go ahead" says both.
func (a *answer) governed(sp span) bool {
	for _, n := range a.l.list("negator").find(a.all) {
		if a.l.allOf(&speech{toks: a.all.toks[n.from:n.to]}, "nay") {
			continue
		}
		if n.from == sp.to || n.from < sp.from && !a.pauseBetween(n.from, sp.from) {
			return true
		}
	}
	return false
}

func (a *answer) pauseBetween(i, k int) bool {
	for _, t := range a.l.read(a.text).toks {
		if (t.Kind == Pause || t.Kind == Full) && t.From > a.all.toks[i].From && t.From < a.all.toks[k].From {
			return true
		}
	}
	return false
}

// isLabel reports whether a phrase of several words is one of the labels'
// own: "leave it off" may be what an option says.
func (a *answer) isLabel(sp span) bool {
	if len(a.offer.Options) < 2 || sp.to-sp.from < 2 {
		return false
	}
	for _, t := range a.all.toks[sp.from:sp.to] {
		if !a.known[a.l.stem(t.Word)] && !a.l.small[t.Word] {
			return false
		}
	}
	return true
}

// isKnown reports whether the question says all of the words itself: "half"
// is no reservation when half was asked about.
func (a *answer) isKnown(sp span) bool {
	return !slices.ContainsFunc(a.all.toks[sp.from:sp.to], func(t Token) bool { return !a.known[a.l.stem(t.Word)] })
}

// strange returns the words of content that the question did not say.
func (a *answer) strange() []Token {
	return slices.DeleteFunc(slices.Clone(a.content), func(t Token) bool { return a.known[a.l.stem(t.Word)] })
}
