// SPDX-License-Identifier: Apache-2.0

package words

import "slices"

// ClauseKind says what a clause does.
type ClauseKind uint8

// The kinds of a clause.
const (
	Statement ClauseKind = iota // a remark; it asks for nothing by itself
	Command                     // asks for something to be done
	Question                    // asks for an answer; it never writes
	Greeting                    // hello, thanks
	Stop                        // end all movement now
)

var clauseKinds = [...]string{"statement", "command", "question", "greeting", "stop"}

func (k ClauseKind) String() string { return clauseKinds[k] }

// Clause is a part of an utterance that can be judged by itself.
type Clause struct {
	Text   string  // as it was said
	Tokens []Token // without pauses and fillers
	Kind   ClauseKind

	Negated     bool // says not to, or to leave it: never an affirmative command
	Except      bool // the negation only exempts something: "all but the rear one"
	Deferred    bool // not now
	Conditional bool // only if something holds
	Reported    bool // quoted, or somebody else's words
	Retracted   bool // taken back by a later clause
	// Elliptical is set on what has no verb: a command as "fan to three", or
	// a statement that may be one to those who know what it names, as
	// "recirculation, please".
	Elliptical bool
	Supposes   bool // a question about something imagined or advised: "what if"
	Unsure     bool // negated only if the negation before "and" reaches this far
	Bare       bool // says nothing of its own: "no", "later"

	polite   bool // a command put as a question
	negative bool // has a negator that may reach over "and" and "or"
	speech   *speech
}

// Affirmative reports whether the clause asks for something to be done now.
func (c *Clause) Affirmative() bool {
	return c.Kind == Command && !c.Negated && !c.Deferred && !c.Conditional && !c.Reported && !c.Retracted
}

// Retracts reports whether the clause takes something back that was asked for:
// it says not to, or that it is off. A mere no is an answer and takes nothing
// back by itself.
func (c *Clause) Retracts() bool {
	switch {
	case c.Reported || c.Deferred || c.Except || c.Unsure:
		return false
	case c.Bare:
		return c.Retracted && len(c.Tokens) > 0 && (len(c.Tokens) > 1 || !c.negative)
	}
	return c.Kind == Command && c.Negated
}

// Utterance is what a driver said, taken apart.
type Utterance struct {
	Text    string
	Clauses []Clause
}

// Utterance takes a text apart into clauses and says what each does. Nobody may
// change them.
func (l *Language) Utterance(text string) Utterance {
	r := l.read(text)
	if r.utterance == nil {
		u := l.utterance(r.text)
		r.utterance = &u
	}
	return *r.utterance
}

func (l *Language) utterance(text string) Utterance {
	u := Utterance{Text: text}
	for _, s := range l.sentences(text) {
		first := len(u.Clauses)
		raws := l.clauses(s.toks)
		asks := s.asks
		for i, raw := range raws {
			// A question mark belongs to the clause that asks, if one says so.
			s.asks = asks && !slices.ContainsFunc(raws[i+1:], l.asks)
			c := Clause{Text: text[raw.toks[0].From:raw.toks[len(raw.toks)-1].To], Reported: s.quoted}
			l.judge(&c, raw, s)
			if len(c.Tokens) == 0 {
				continue
			}
			if n := len(u.Clauses); n > first {
				inherit(&u.Clauses[n-1], &c, raw.join, s.asks)
			}
			u.Clauses = append(u.Clauses, c)
		}
		lookBack(u.Clauses, first)
	}
	return u
}

// asks reports whether the clause begins like a question, or like a request
// that is put as one.
func (l *Language) asks(raw rawClause) bool {
	s := &speech{toks: l.dropFillers(spoken(raw.toks))}
	_, ok := l.list("ask").starts(s)
	if !ok {
		_, ok = l.list("request").starts(s)
	}
	return ok
}

// inherit gives a clause what the clause before it in the same sentence
// implies: a question asks on, a polite request goes on, and a negation may
// reach over "and" and "or".
func inherit(prev, c *Clause, join string, asks bool) {
	if c.Kind == Command && !c.polite && prev.Kind == Question && (prev.Supposes || asks) {
		c.Kind, c.Supposes = Question, prev.Supposes
	}
	if c.Kind == Question && prev.polite && !c.Supposes && c.Elliptical {
		c.Kind, c.polite = Command, true
	}
	if prev.negative && c.Kind == Command && (join == "and" || join == "or") {
		c.Negated, c.negative, c.Unsure = true, true, join == "and" && !c.Negated
	}
	if prev.Reported && (join == "and" || join == "or" || join == "" && prev.Kind != Command) {
		c.Reported = true // she said, open the window
	}
}

// lookBack lets a clause that says nothing of its own ("later", "no, forget
// it") act on the commands before it.
func lookBack(cs []Clause, first int) {
	for i := first; i < len(cs); i++ {
		c := &cs[i]
		if !c.Bare {
			continue
		}
		for k := i - 1; k >= 0; k-- {
			p := &cs[k]
			if p.Bare || p.Kind != Command {
				continue
			}
			if c.Deferred {
				p.Deferred = true
				continue
			}
			if c.Retracted {
				p.Retracted = true
				break // only the last one is taken back
			}
		}
	}
}

// sentence is a stretch of text up to a full stop, or a quoted stretch.
type sentence struct {
	toks   []Token
	words  []Token // those that carry meaning
	asks   bool    // ends with a question mark
	quoted bool
	said   *speech // words, ready for matching
}

// in is the sentence as it stands in the text.
func (s *sentence) in(text string) string { return text[s.toks[0].From:s.toks[len(s.toks)-1].To] }

func (l *Language) sentences(text string) []sentence { return l.read(text).sentences() }

// speech readies the sentence for matching.
func (s *sentence) speech() *speech { return s.said }

// split cuts tokens where a sentence or quoted speech ends; words are those of
// them that carry meaning. The sentences share both.
func split(toks, words []Token) []sentence {
	var out []sentence
	quoted, from, said, until := false, 0, 0, 0
	flush := func(to int, asks bool) {
		if until > said {
			part := words[said:until:until]
			out = append(out, sentence{toks[from:to:to], part, asks, quoted, &speech{toks: part}})
		}
		from, said = to+1, until
	}
	for i := range toks {
		switch t := &toks[i]; t.Kind {
		case Full:
			flush(i, t.Text == "?" || t.Text == "？" || t.Text == "؟")
		case Quote:
			flush(i, false)
			quoted = !quoted
		case Word, Digits, Symbol:
			until++
		}
	}
	flush(len(toks), false)
	if len(out) > 0 && !slices.ContainsFunc(out, func(s sentence) bool { return !s.quoted }) {
		for i := range out {
			out[i].quoted = false // the whole utterance is in quotes
		}
	}
	return out
}

// rawClause is a stretch of tokens and the word that joined it to the one
// before: and, or, but, then, or nothing after a comma.
type rawClause struct {
	toks []Token
	join string
}

// clauses splits a sentence where a new clause begins: after a joining word
// or a comma that is followed by something that can begin one.
func (l *Language) clauses(toks []Token) []rawClause {
	var out []rawClause
	start, join := 0, ""
	cut := func(at, next int, j string) {
		if at > start {
			out = append(out, rawClause{toks[start:at], join})
		}
		start, join = next, j
	}
	for i := 0; i < len(toks); i++ {
		next, j := i, ""
		if toks[next].Kind == Pause {
			next++
		}
		for next < len(toks) {
			name, n := l.joiner(toks, next)
			if n == 0 {
				break
			}
			next, j = next+n, name
		}
		if next >= len(toks) {
			break // nothing but joining words is left
		}
		if next == i {
			continue
		}
		if l.begins(toks[next:]) || j == "then" && next > i {
			cut(i, next, j)
			i = next - 1
		}
	}
	if start < len(toks) {
		out = append(out, rawClause{toks[start:], join})
	}
	return slices.DeleteFunc(out, func(c rawClause) bool { return len(spoken(c.toks)) == 0 })
}

// joinerLists are the lists that join clauses, in the order in which they are
// tried.
var joinerLists = [...]string{"then", "and", "or", "but"}

func (l *Language) joiner(toks []Token, i int) (string, int) {
	if i >= len(toks) || !l.vocab.beginsAny(toks[i].id, l.joining) {
		return "", 0
	}
	s := &speech{toks: toks}
	for k, ps := range l.joiners {
		if end, ok := ps.ends(s, i); ok {
			return joinerLists[k], end - i
		}
	}
	return "", 0
}

// begins reports whether the tokens can begin a clause of their own.
func (l *Language) begins(toks []Token) bool {
	s := &speech{toks: l.dropFillers(spoken(untilPause(toks)))}
	for _, name := range []string{"verb", "ask", "request", "wish", "inquire", "keep", "retract", "insist", "stop"} {
		if _, ok := l.list(name).starts(s); ok {
			return true
		}
	}
	if end, ok := l.list("defer").starts(s); ok && end > 0 {
		return true
	}
	end, ok := l.list("negator").starts(s)
	if !ok {
		return false
	}
	rest := &speech{toks: s.toks[end:]}
	if do, ok := l.list("negator").starts(rest); ok { // "never, no"
		rest = &speech{toks: rest.toks[do:]}
	}
	_, verb := l.list("verb").starts(rest)
	return verb
}

func untilPause(toks []Token) []Token {
	for i, t := range toks {
		if t.Kind == Pause {
			return toks[:i]
		}
	}
	return toks
}
