// SPDX-License-Identifier: Apache-2.0

package words

import "slices"

// Query is one sentence of a reply that asks the driver something.
type Query struct {
	Sentence string
	Choice   bool // it wants more than a yes or no: which one, how much
}

// Queries returns the sentences of a text that ask, with a question mark or by
// words ("let me know which"). A question that only ends a reply ("anything
// else?") is none.
func (l *Language) Queries(text string) []Query {
	r := l.read(text)
	var out []Query
	for _, s := range r.sentences() {
		sp := s.speech()
		choice := l.list("choice").has(sp) || l.list("or").has(sp) && !l.list("offer").has(sp)
		if !s.asks && !(choice && l.list("inquire").has(sp)) || l.list("closing").has(sp) {
			continue
		}
		out = append(out, Query{s.in(r.text), choice})
	}
	return out
}

// Remark is something that a text may say besides what it is about.
type Remark string

// The remarks, each a list of the language.
const (
	Limit   Remark = "limit"   // something is not known or not there
	Future  Remark = "future"  // a moment to come
	Present Remark = "present" // this moment
	Removal Remark = "remove"  // something is to go
	LookUp  Remark = "look-up" // something is to be looked up
	If      Remark = "if"      // something holds only if something else does
)

// Says reports whether a clause of the text makes the remark.
func (l *Language) Says(text string, what Remark) bool {
	ps := l.list(string(what))
	return slices.ContainsFunc(l.sentences(text), func(s sentence) bool {
		return ps.has(s.speech())
	})
}

// Wish is one clause of a driver that wants something done, now or later, or
// wants it left.
type Wish struct {
	Text  string
	Later bool // not yet, it says
	// Denied is set when it says not to, and of what: "do not open the window".
	// What is left as it is beside something else ("don't change anything else")
	// is no such wish.
	Denied bool
}

// Wishes returns the clauses that ask for something to be done and those that
// want it put off or left, in the order in which they were said.
func (x *Lexicon) Wishes(text string) []Wish {
	u := x.Lang.Utterance(text)
	commands := x.Commands(u)
	var out []Wish
	for i := range u.Clauses {
		c := &u.Clauses[i]
		switch {
		case c.Kind != Question && !c.Reported && x.Lang.list("not-yet").has(&speech{toks: spoken(c.Tokens)}):
			out = append(out, Wish{Text: c.Text, Later: true})
		case c.Kind == Command && c.Deferred && !c.Negated && !c.Reported && !c.Retracted && !c.Bare:
			out = append(out, Wish{Text: c.Text, Later: true}) // turn it off, but wait
		case x.Lang.denies(c):
			out = append(out, Wish{Text: c.Text, Denied: true})
		case slices.Contains(commands, c):
			out = append(out, Wish{Text: c.Text})
		}
	}
	return out
}

// denies reports whether a clause begins with a negator and says what is not to
// be done.
func (l *Language) denies(c *Clause) bool {
	if c.Kind != Command || !c.negative || c.Unsure || c.Except || c.Reported || c.Deferred || c.Retracted || c.Bare {
		return false
	}
	full := &speech{toks: spoken(c.Tokens)}
	_, leads := l.list("negator").starts(full)
	return (leads || l.list("negator").has(full) && l.startsWithVerb(full)) && !l.list("others").has(full)
}
