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
	if k == Unclear && a.rest != "" {
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
	toks := l.Tokens(text)
	if _, but := l.list("but").starts(&speech{toks: spoken(toks)}); but {
		return false
	}
	for _, c := range l.Utterance(text).Clauses {
		if c.Negated || c.Except || c.Deferred || c.Retracted {
			return false
		}
	}
	asked := l.Quantities(l.Tokens(yes.offer.Question))
	if len(asked) == 0 {
		return true
	}
	for _, q := range l.Quantities(toks) {
		if !slices.ContainsFunc(asked, func(x Quantity) bool { return x.Value == q.Value }) {
			return false
		}
	}
	return true
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
	rest                               string // a further request behind the yes or no
}

func (l *Language) newAnswer(text string, o Offer) *answer {
	text = l.Normal(text)
	a := &answer{l: l, offer: o, text: text, known: map[string]bool{}}
	for _, t := range spoken(l.Tokens(o.Question + " . " + strings.Join(o.Options, " . "))) {
		a.known[l.stem(t.Word)] = true
	}
	// "Turn them on" answers "shall I switch on the lights": words for the same
	// direction name nothing new.
	question := &speech{toks: spoken(l.Tokens(o.Question))}
	for _, dir := range []string{"on", "off", "open", "close"} {
		if !l.list(dir).has(question) {
			continue
		}
		for _, phrase := range l.raw[dir] {
			for _, t := range spoken(l.Tokens(phrase)) {
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
	toks := a.l.Tokens(a.text)
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
			a.asks = false
			break
		}
	}
	a.all = &speech{toks: spoken(head)}
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
	for len(toks) > 0 {
		name, n := a.l.joiner(toks, 0)
		if n == 0 {
			break
		}
		if name == "but" {
			return false // a reservation
		}
		toks = toks[n:]
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

// hasPronoun reports whether a word like "it" stands for a thing: no word
// follows that it could belong to, as in "that radio".
func (l *Language) hasPronoun(s *speech) bool {
	for i := range s.toks {
		end, _, ok := l.list("it").at(s, i)
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
			if end, _, ok := l.list(name).at(s, i); ok && end > i {
				hits = append(hits, hit{span{i, end}, name})
			}
		}
	}
	slices.SortStableFunc(hits, func(x, y hit) int { return (y.to - y.from) - (x.to - x.from) })
	used := make([]bool, len(s.toks))
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
		}
	}
	for _, sp := range l.list("negator").find(s) {
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
	for _, t := range a.l.Tokens(a.text) {
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
	case a.reserved:
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
	asked := a.l.Quantities(a.l.Tokens(a.offer.Question + " . " + strings.Join(a.offer.Options, " . ")))
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
	for _, t := range a.contentOf(&speech{toks: spoken(a.l.Tokens(label))}) {
		if !said[a.l.stem(t.Word)] {
			return false
		}
	}
	return true
}
