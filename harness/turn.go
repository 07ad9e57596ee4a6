// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// Outcome says how a turn ended.
type Outcome string

// The outcomes of a turn.
const (
	Spoke   Outcome = "spoke"   // the assistant replied
	Asked   Outcome = "asked"   // it ends with a question whose answer decides
	Halted  Outcome = "stopped" // the driver said stop
	Faulted Outcome = "failed"  // no student could draft anything
)

// Turn is everything about one turn: what was said, drafted, found, repaired,
// carried out and observed. Its JSON form is the turn document.
type Turn struct {
	ID        string    `json:"id"`
	Session   string    `json:"session"`
	Number    int       `json:"number"`
	Started   time.Time `json:"started"`
	Ended     time.Time `json:"ended"`
	Language  string    `json:"language"`
	Utterance string    `json:"utterance"`
	Rules     string    `json:"rules"` // name and revision of the rule set in force
	Student   string    `json:"student"`
	Setting   *Setting  `json:"setting,omitempty"` // what it began with

	Answer   string  `json:"answer,omitempty"` // how a pending question was answered
	Steps    []*Step `json:"steps"`
	Withheld []Held  `json:"withheld,omitempty"`
	Asks     []Ask   `json:"asks,omitempty"`
	// Extraction is how the asks were found, where a model was asked.
	Extraction *Extraction `json:"extraction,omitempty"`
	Question   *Question   `json:"question,omitempty"`
	Reply      string      `json:"reply"`
	Outcome    Outcome     `json:"outcome"`
	Notes      []string    `json:"notes,omitempty"` // what the trace must say: valve, degraded parts
	Usage      Usage       `json:"usage"`
}

// Step is one draft and what became of it.
type Step struct {
	Draft    Draft            `json:"draft"`          // as the student made it
	Vote     *Vote            `json:"vote,omitempty"` // when drafts were sampled
	Checks   []Check          `json:"checks"`
	Released []vehicle.Call   `json:"released,omitempty"` // what was carried out, in order
	Results  []vehicle.Result `json:"results,omitempty"`
}

// Check is one verification and the repair that followed it.
type Check struct {
	Draft    []vehicle.Call `json:"draft,omitempty"` // the calls looked at, when repair changed them
	Findings []Finding      `json:"findings,omitempty"`
	Repairs  []string       `json:"repairs,omitempty"` // what code changed after it
	Critic   *Criticism     `json:"critic,omitempty"`  // when the findings are advisory
	Took     time.Duration  `json:"took_ns"`
}

// Held is a call that was not carried out, and why.
type Held struct {
	Call   vehicle.Call `json:"call"`
	Gate   string       `json:"gate"`
	Rule   string       `json:"rule,omitempty"`
	Reason string       `json:"reason"`        // for people who read traces
	Say    string       `json:"say,omitempty"` // for the driver
}

func (t *Turn) note(s string) { t.Notes = append(t.Notes, s) }
