// SPDX-License-Identifier: Apache-2.0

package rules

// Class says what happens when a rule cannot be decided.
type Class string

// The classes. Which of them a key may name: unknown takes ask, refuse and
// allow; error takes refuse and allow; absent takes hold and allow.
const (
	ClassAsk    Class = "ask"    // the driver is asked
	ClassRefuse Class = "refuse" // the trigger is refused
	ClassHold   Class = "hold"   // the trigger is held and the driver told
	ClassAllow  Class = "allow"  // as if the rule were not there
)

func unknownClasses() []string { return []string{"ask", "refuse", "allow"} }
func errorClasses() []string   { return []string{"refuse", "allow"} }
func absentClasses() []string  { return []string{"hold", "allow"} }

// By says when a disclosure must have been made.
type By string

// The times of a disclosure.
const (
	ByReply  By = "reply"  // at the latest in the reply that follows
	ByCommit By = "commit" // before the trigger goes out
)
