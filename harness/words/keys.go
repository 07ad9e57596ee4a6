// SPDX-License-Identifier: Apache-2.0

package words

import (
	"maps"
	"slices"
)

// Key names a phrase of the data files.
type Key string

// The sentences that the harness speaks. What is meant by the arguments:
// things done come from [Lexicon.SpeakDone], things to do from
// [Lexicon.Speak], and lists of either are fine. Reasons are clauses without
// a full stop.
const (
	// reports
	SayDone        Key = "done"            // done
	SayAlready     Key = "already"         // done: it was so before
	SayNotDone     Key = "not-done"        // to do, reason
	SayLeft        Key = "left"            // to do: the reason follows as a sentence
	SayFailed      Key = "failed"          // to do: sent, its effect was not observed
	SayWithheld    Key = "withheld"        // to do, reason: a rule stands against it
	SaySkipped     Key = "skipped"         // to do, what failed before it
	SayAlso        Key = "also"            // done: because a rule wants it
	SayAlsoBecause Key = "also-because"    // done, reason
	SayNothing     Key = "nothing-changed" //
	SayUnchanged   Key = "left-as-is"      // to do: the driver asked not to
	SayFound       Key = "found"           // result of a look-up
	SayNote        Key = "note"            // anything: a disclosure or warning
	SayStopped     Key = "stopped"         //
	SayStoppedRest Key = "stopped-rest"    // to do: what was not carried out
	SayInterrupted Key = "interrupted"     // done and not done unknown after a restart
	SayDeferred    Key = "deferred"        // the driver said later
	SayGreeting    Key = "greeting"        //
	SayThanks      Key = "thanks"          //

	// questions
	AskYesNo      Key = "ask-yes-no"      // to do
	AskAnyway     Key = "ask-anyway"      // to do, fact that speaks against it
	AskConfirm    Key = "ask-confirm"     // to do: needs a confirmation
	AskTwo        Key = "ask-two"         // first package, second package
	AskTwoBecause Key = "ask-two-because" // first package, second package, reason
	AskMany       Key = "ask-many"        // list of packages
	AskWhich      Key = "ask-which"       // thing, list of choices
	AskPick       Key = "ask-pick"        // list of things to choose from
	AskValue      Key = "ask-value"       // thing
	AskRange      Key = "ask-range"       // thing, least, greatest
	AskAgain      Key = "ask-again"       // the question's text
	AskAgainPick  Key = "ask-again-pick"  // the question's text: with options
	AskRepeat     Key = "ask-repeat"      //
	AskHeard      Key = "ask-heard"       // what was heard

	// consent
	ConsentCancelled Key = "consent-cancelled" // to do
	ConsentLapsed    Key = "consent-lapsed"    // to do: time, or the facts changed
	ConsentDropped   Key = "consent-dropped"   // twice unclear
	ConsentChanged   Key = "consent-changed"   // the car changed since the question

	// what cannot be
	NotUnderstood      Key = "not-understood"      // quoted part, or a list
	NotUnderstoodAll   Key = "not-understood-all"  //
	CannotTell         Key = "cannot-tell"         // thing
	CannotRead         Key = "cannot-read"         // thing: the read failed or gave unknown
	CannotAnswer       Key = "cannot-answer"       // the offline student knows no answer
	CannotOffline      Key = "cannot-offline"      // thing: needs the language model
	Missing            Key = "missing"             // to do: no offered tool can
	MissingBut         Key = "missing-but"         // to do, list of what can be done
	OutOfRange         Key = "out-of-range"        // thing, least, greatest
	RuleForbids        Key = "rule-forbids"        // to do, reason
	RulesConflict      Key = "rules-conflict"      // to do, list of rules
	UnknownFact        Key = "unknown-fact"        // to do, thing that is unknown
	AlreadyReached     Key = "already-at-limit"    // thing
	StudentUnreachable Key = "student-unreachable" //
	StudentBad         Key = "student-bad"         // the model's answer was of no use
	TookTooLong        Key = "took-too-long"       //
	GaveUp             Key = "gave-up"             //
	BusGone            Key = "bus-gone"            // name of the bus
	ServiceGone        Key = "service-gone"        // name of the service
	Internal           Key = "internal"            // an error of our own

	// reasons: clauses for the second argument of SayNotDone and its like,
	// without capital letter and full stop
	WhyNotConfirmed Key = "why-not-confirmed" // the driver did not say yes
	WhyNoAnswer     Key = "why-no-answer"     // the car did not answer in time
	WhyStale        Key = "why-stale"         // thing not seen lately
	WhyUnknown      Key = "why-unknown"       // thing is unknown
	WhyNotOffered   Key = "why-not-offered"   // thing
	WhyRule         Key = "why-rule"          // rule id or name
	WhyNotAsked     Key = "why-not-asked"     // nobody asked for it
	WhyOnlyQuestion Key = "why-only-question" // the driver only asked a question
	WhyDenied       Key = "why-denied"        // the driver said not to
	WhyInvalid      Key = "why-invalid"       // what is wrong with the arguments
	WhyStopped      Key = "why-stopped"       // the driver said stop
	WhyRate         Key = "why-rate"          // too many commands
	WhyBlocked      Key = "why-blocked"       // the car says that it cannot move
	WhyReversed     Key = "why-reversed"      // it ran back by itself
	WhyBusGone      Key = "why-bus-gone"      // the bus does not take commands
	WhyBefore       Key = "why-before"        // what must come before it

	// words and parts of sentences, without capital letter and full stop
	WordAnd     Key = "word-and"
	WordOr      Key = "word-or"
	WordOn      Key = "word-on"
	WordOff     Key = "word-off"
	WordUnknown Key = "word-unknown"
	WordDid     Key = "word-did" // "{0} is done": the same when done
	WordIs      Key = "word-is"  // "{0} is {1}": a signal without template
	WordAll     Key = "word-all"
	WordBecause Key = "word-because" // "because {0}"
	WordNot     Key = "word-not"     // "not {0}": to leave out what could be done
)

// keys are all phrases with the number of their arguments.
var keys = map[Key]int{
	SayDone: 1, SayLeft: 1, SayAlready: 1, SayNotDone: 2, SayFailed: 1, SayWithheld: 2, SaySkipped: 2, SayAlso: 1,
	SayAlsoBecause: 2, SayNothing: 0, SayUnchanged: 1, SayFound: 1, SayNote: 1, SayStopped: 0, SayStoppedRest: 1,
	SayInterrupted: 0, SayDeferred: 0, SayGreeting: 0, SayThanks: 0,
	AskYesNo: 1, AskAnyway: 2, AskConfirm: 1, AskTwo: 2, AskTwoBecause: 3, AskMany: 1, AskWhich: 2, AskPick: 1, AskValue: 1,
	AskRange: 3, AskAgain: 1, AskAgainPick: 1, AskRepeat: 0, AskHeard: 1,
	ConsentCancelled: 1, ConsentLapsed: 1, ConsentDropped: 0, ConsentChanged: 0,
	NotUnderstood: 1, NotUnderstoodAll: 0, CannotTell: 1, CannotRead: 1, CannotAnswer: 0, CannotOffline: 1,
	Missing: 1, MissingBut: 2, OutOfRange: 3, RuleForbids: 2, RulesConflict: 2, UnknownFact: 2, AlreadyReached: 1,
	StudentUnreachable: 0, StudentBad: 0, TookTooLong: 0, GaveUp: 0, BusGone: 1, ServiceGone: 1, Internal: 0,
	WhyNotConfirmed: 0, WhyNoAnswer: 0, WhyStale: 1, WhyUnknown: 1, WhyNotOffered: 1, WhyRule: 1, WhyNotAsked: 0,
	WhyOnlyQuestion: 0, WhyDenied: 0, WhyInvalid: 1, WhyStopped: 0, WhyRate: 0, WhyBefore: 1, WhyBlocked: 0, WhyReversed: 0, WhyBusGone: 0,
	WordAnd: 0, WordOr: 0, WordOn: 0, WordOff: 0, WordUnknown: 0, WordDid: 1,
	WordIs: 2, WordAll: 0, WordBecause: 1, WordNot: 1,
}

// Keys lists every phrase with the number of its arguments, for tests and
// documentation.
func Keys() map[Key]int { return maps.Clone(keys) }

// SortedKeys lists every phrase by name.
func SortedKeys() []Key { return slices.Sorted(maps.Keys(keys)) }
