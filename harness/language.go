// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Language is the driver's language as the harness needs it. Its words are
// data; implementations hold no state of a conversation.
type Language interface {
	// Code is the language as in BCP 47: en, de.
	Code() string
	// Speech says what kind of utterance a text is.
	Speech(text string) Speech
	// Answer reads a text as the answer to a question.
	Answer(text string, q *Question) Answer

	// MentionsTool reports whether a text names what a tool is about, by words
	// and not by parts of words. MentionsValue does so for an argument's value.
	MentionsTool(text, tool string) bool
	MentionsValue(text, tool string, at vehicle.Path, v vehicle.Value) bool
	// NamesValue reports whether a text names some value for an argument.
	NamesValue(text, tool string, at vehicle.Path) bool
	MentionsAny(text string, words []string) bool
	// Gives reports whether a text gives an argument of a tool its value: by
	// naming it, or the way to it from one of the values that are now. A
	// language that cannot tell says that it does.
	Gives(text, tool, arg string, v vehicle.Value, now ...vehicle.Value) bool
	// Follows reports whether an argument's value follows from the others of the
	// call, by custom of the language.
	Follows(c *vehicle.Call, arg string) bool
	// Dictates returns the values that a stored preference wants an argument of
	// a tool to have.
	Dictates(text, tool, arg string) []words.Dictate
	// Claims finds the sentences that claim an effect.
	Claims(text string) []Claim

	// ReplyIs reports whether a reply claims an effect, refuses or asks.
	ReplyIs(text string, kind rules.ReplyKind) bool

	// Asks reports whether a text asks the driver, or offers to do something.
	Asks(text string) bool

	CutOff(text string) bool        // breaks off in mid-sentence
	LooksLikeCall(text string) bool // a tool call or code instead of speech
	Speakable(text string) string   // without markup, lists, emoji

	// Speak and Done say a call as an act to do and as an effect observed.
	Speak(c vehicle.Call) string
	Done(c vehicle.Call) string
	SpeakAll(calls []vehicle.Call) string
	// Without says the calls as an act, and that the trigger is left out.
	Without(calls []vehicle.Call, trigger *vehicle.Call) string
	ToolName(tool string) string
	SignalName(signal string) string
	List(items []string) string
	// AskFor is the question for an argument of a tool.
	AskFor(tool, arg string) string
	// Phrase is one of the harness's own sentences, with its parts filled in.
	Phrase(key words.Key, parts ...string) string
}

// Speech is what kind of utterance a text is.
type Speech struct {
	Stop     bool     // end every movement, now
	Command  bool     // something is to be done
	Question bool     // something is asked
	Commands []string // the clauses that command something
	// Withdrawn are the clauses that take something back: "never mind", "leave
	// the window".
	Withdrawn []string
}

// AnswerKind is how a driver answered a question.
type AnswerKind string

// The kinds of an answer.
const (
	Yes     AnswerKind = "yes"     // to the option chosen
	No      AnswerKind = "no"      // to all of it
	Change  AnswerKind = "change"  // something else about the same matter
	Topic   AnswerKind = "topic"   // about something else
	Unclear AnswerKind = "unclear" // neither
)

// Answer is what a text says to a question.
type Answer struct {
	Kind   AnswerKind
	Option int    // the chosen option, on Yes
	Rest   string // what was said besides a yes or no, to be heard as well
}

// Claim is one sentence of a reply that claims an effect.
type Claim struct {
	Sentence    string
	Tools       []string // tools whose subject it names
	StateReport bool     // it may just as well report a state that was read
}
