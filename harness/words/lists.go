// SPDX-License-Identifier: Apache-2.0

package words

// listNames are the lists of a data file, all of them required. A list whose
// name begins with x- is only there to be used inside other patterns.
var listNames = []string{
	// words without content
	"filler",  // uh, please: dropped before anything is judged
	"article", // the, a, my
	"small",   // pronouns, prepositions, auxiliaries

	// how clauses join
	"and", "or", "then", "but",

	// what begins a clause, and what it makes of it
	"verb",      // begins a command: open, turn
	"ask",       // begins a question: what, is the
	"request",   // a command put as a question: can you
	"inquire",   // makes a request or command a question: tell me whether
	"wish",      // a command put as a statement: I would like
	"finite",    // a finite verb: what has it and no command is a statement
	"suppose",   // makes a question hypothetical: what happens if
	"remove",    // something is to go: delete, skip
	"if",        // makes a command conditional
	"condition", // begins the condition of a standing wish: if, when, as long as
	"greet",     // hello, thanks
	"thank",     // thanks
	"light",     // verbs that say nothing by themselves: turn, set, make
	"reason",    // begins a reason that changes nothing: because

	// what makes a command none
	"negator", // not, never, no
	"nay",     // the negators that stand alone: no, nope
	"neutral", // contains a negator but denies nothing: no matter
	"keep",    // leave as it is
	"except",  // all but
	"retract", // no wait, never mind
	"defer",   // later, not yet
	"report",  // he said, the manual says
	"insist",  // I said: still a command

	// stop
	"stop",      // ends all movement
	"stop-lead", // may stand before it: no, wait
	"stop-rest", // may stand after it: it, now, moving

	// directions, used by lexicons as <on>, <off> …
	"on", "off", "open", "close", "up", "down", "more", "less", "max", "min",
	"all", "both", "it", "by", "to",

	// answers
	"weak", // a yes by itself that only leads over to a request behind it: right, okay then
	"yes", "yes-alone", "no", "hedge", "reserve", "prefer", "correct", "neither", "either", "cancel",
	"option", // the word before an option's number: option, number
	"first", "second", "third", "fourth", "last", "former", "latter",

	// claims in replies
	"claim-done", "claim-now", "claim-doing", "claim-promise", "claim-refusal", "claim-gerund", "claim-verb", "claim-offer", "claim-suppose", "claim-unless", "state",

	// what a sentence is about beside that
	"choice",  // a question that wants more than a yes or no: which, how much
	"clarify", // a question that asks what was meant: do you mean
	"offer",   // begins a question for a yes or no, even with an "or" in it: shall I
	"closing", // a question that ends a reply: anything else
	"limit",   // admits that something is not known or not there
	"future",  // a moment to come: on arrival, tomorrow
	"present", // this moment: right now
	"others",  // what there is besides: else, the rest
	"not-yet", // wants something put off: do not start it yet
	"look-up", // wants something looked up: can you check
}

func (l *Language) list(name string) *patterns { return l.lists[name] }

// Span is a stretch of tokens, from the first to behind the last.
type Span struct{ From, To int }

// Find returns where the phrases of a list of the language stand in the
// tokens, leftmost first. The lists are those of the data files; it panics
// on a name that is none.
func (l *Language) Find(list string, toks []Token) []Span {
	ps := l.lists[list]
	if ps == nil {
		panic("words: no list is called " + list)
	}
	var out []Span
	for _, sp := range ps.find(&speech{toks: toks}) {
		out = append(out, Span{sp.from, sp.to})
	}
	return out
}

// Small reports whether a word has no content of its own: an article, a
// pronoun, a preposition, a filler.
func (l *Language) Small(t Token) bool { return l.small[t.Word] }

// Pronoun reports whether the tokens refer to something by a word like "it".
func (l *Language) Pronoun(toks []Token) bool { return l.hasPronoun(&speech{toks: toks}) }
