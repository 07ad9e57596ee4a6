// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Tier says how binding a finding is.
type Tier string

// The tiers. A hard finding never leaves with a write; an advisory one is put
// to the critic.
const (
	Hard     Tier = "hard"
	Advisory Tier = "advisory"
)

// Action is what a finding does to the draft.
type Action string

// The actions.
const (
	Block      Action = "block"  // its subject must not be carried out
	AskFirst   Action = "ask"    // its subject waits for the driver's answer
	Say        Action = "say"    // the reply must say something, or not say it
	Repair     Action = "repair" // the remedy is exact and applied by code
	DemandRead Action = "read"   // a read is needed first; its subject waits
	// Reconsider gives the draft back once: something was read that the student
	// did not know. The same draft again is taken.
	Reconsider Action = "reconsider"
)

// Finding is one thing a gate holds against a draft.
type Finding struct {
	Gate   string `json:"gate"`
	Tier   Tier   `json:"tier"`
	Action Action `json:"action"`
	Rule   string `json:"rule,omitempty"`
	// Subjects are the ids of the draft's calls it is about; none: the text.
	Subjects []string         `json:"subjects,omitempty"`
	Evidence []rules.Evidence `json:"evidence,omitempty"`
	Remedy   Remedy           `json:"remedy,omitzero"`
	// Question is what to ask, on AskFirst.
	Question *Question `json:"question,omitempty"`
	// Tell is what the driver has not been told yet, or must not be told.
	Tell []Telling `json:"tell,omitempty"`
	// Redraft is set on a demanded read whose result the student must see before
	// its draft counts.
	Redraft bool   `json:"-"`
	Note    string `json:"note"`             // for the student: what is wrong, what to do
	Driver  string `json:"driver,omitempty"` // for the driver, in the driver's language
}

// Telling is one thing that a rule wants said to the driver, or kept back: a
// value, or a word of the bundle's lexicon.
type Telling struct {
	Value    vehicle.Value `json:"value,omitzero"`
	Word     string        `json:"word,omitempty"`
	Withhold bool          `json:"withhold,omitempty"`
}

// Remedy is an exact change of the draft that answers a finding.
type Remedy struct {
	Add      []Placed                `json:"add,omitempty"`
	Replace  map[string]vehicle.Call `json:"replace,omitempty"` // by call id
	Remove   []string                `json:"remove,omitempty"`  // call ids
	Defer    []string                `json:"defer,omitempty"`   // call ids that wait for the next draft
	DropText bool                    `json:"drop_text,omitempty"`
	Text     string                  `json:"text,omitempty"` // replaces the draft's text
}

// Empty reports whether the remedy changes nothing.
func (r *Remedy) Empty() bool {
	return len(r.Add) == 0 && len(r.Replace) == 0 && len(r.Remove) == 0 && len(r.Defer) == 0 && !r.DropText && r.Text == ""
}

// Placed is a call to add to the draft.
type Placed struct {
	Call   vehicle.Call `json:"call"`
	Before string       `json:"before,omitempty"` // call id it must precede; empty: at the start
	After  string       `json:"after,omitempty"`  // call id it goes with, after it
}

// Question is a question to the driver whose answer decides about exact
// calls. One option is a yes-or-no question; with more, the driver chooses.
type Question struct {
	ID      string         `json:"id"`
	Text    string         `json:"text"`
	Options []Option       `json:"options"`
	Rules   []string       `json:"rules,omitempty"`
	About   []Asking       `json:"about,omitempty"` // why it is asked, each reason once
	Facts   []QuestionFact `json:"facts,omitempty"` // what it was asked on
}

// Asking is one reason of a question: a call, the rule that wants it asked
// about, and what the question has to carry. Without a rule it is the call's
// tool that is marked to need a yes.
type Asking struct {
	Rule   string        `json:"rule,omitempty"`
	Call   vehicle.Call  `json:"call"`
	Naming vehicle.Value `json:"naming,omitzero"` // arguments with their values
	Warn   []string      `json:"warn,omitempty"`  // words of the bundle's lexicon
}

// Option is one exact package of calls, in order.
type Option struct {
	Label string         `json:"label"` // as it is spoken
	Calls []vehicle.Call `json:"calls"`
	// For says which calls of the package are owed for which other one.
	For map[string]string `json:"for,omitempty"`
}

// QuestionFact is a fact a question rests on. When it changes, consent
// lapses.
type QuestionFact struct {
	Signal vehicle.SignalID `json:"-"`
	Name   string           `json:"name"`
	Value  vehicle.Value    `json:"value"`
}
