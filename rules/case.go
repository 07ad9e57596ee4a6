// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"github.com/carguardd/carguardd/vehicle"
)

// Case is a rule test: a small conversation in a car of a given state, with
// what must come of each turn. Package rules/rulestest runs it.
type Case struct {
	Name    string
	State   map[string]vehicle.Value // signal → value; unknown: reading it tells nothing
	Context map[string]vehicle.Value
	Without []string    // T or T.argument: not offered in this conversation
	Prefers []string    // lexicon words that a stored preference names
	History []CaseCall  // what happened before the first turn, oldest first
	Answers []CaseCall  // what services answer when they are asked
	Turns   []*CaseTurn // at least one
	Pos     vehicle.Pos // of the test
}

// CaseCall is a call that is written in a test, perhaps with its result.
type CaseCall struct {
	Call   string
	Args   vehicle.Value
	Result vehicle.Value
	Failed bool
	Pos    vehicle.Pos
}

// CaseTurn is one utterance, what the student drafts on it, and what must
// come of that.
type CaseTurn struct {
	User    string
	Answer  string   // yes or no to the question that the turn before asked
	Wants   []string // lexicon words that the utterance asks for
	Draft   []CaseCall
	Fails   []string // tools whose calls fail in this turn
	Reply   string   // spoken after the draft
	ReplyIs []ReplyKind
	Want    CaseWant
	Pos     vehicle.Pos
}

// CaseWant is what must come of a turn. A nil list is not checked.
type CaseWant struct {
	Calls  []CaseCall // writes that went out, in order
	Reads  []CaseCall // reads that code made, in order
	Held   []Verdict  // calls that did not go out
	Asked  []Verdict  // what the driver was asked
	Told   []Verdict  // what the driver has to be told
	Fires  []string   // the rules that found something; checked always
	Silent []string   // rules that must have looked and found nothing
	Pos    vehicle.Pos
}

// Verdict is one thing that a rule did, as a test writes it. Empty parts are
// not checked.
type Verdict struct {
	By     string        // rule
	Call   string        // the call held or asked about
	Naming vehicle.Value // the arguments that the question names
	Warn   []string      // lexicon words
	Value  vehicle.Value // what must be told …
	Word   string        // … or the word for it
	Pos    vehicle.Pos
}
