// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"fmt"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// Said is what the driver said, and what it meant: the one who made it up
// knows.
type Said struct {
	Text     string
	Question bool // it asks something and commands nothing
	Stop     bool
	Yes      bool // a plain yes, or the plain choice of an option
	Option   int  // the chosen one, on a yes
	No       bool // a plain no
	Fastest  bool // it asks for the fastest road
}

// Place is where and when the car is.
type Place struct {
	ID               string
	Month, Day, Hour int
	Weather          string // the condition that is reported for it
}

// Turn is the document of a turn, as far as the oracle reads it.
type Turn struct {
	Reply    string
	Outcome  string
	Steps    []Step
	Question *Question // that the turn ends with
}

// Step is what was carried out between two drafts, with its results.
type Step struct {
	Calls   []vehicle.Call
	Results []vehicle.Result
}

// Question waits for the driver's answer.
type Question struct {
	Text     string
	Packages [][]vehicle.Call // exact calls, by option
	Cites    []string         // the policy statements it is asked for
	Facts    map[string]vehicle.Value
}

// Violation is one thing that a turn must not have done.
type Violation struct {
	Statement string // number of the policy statement, or a word of its own
	Text      string
}

func (v Violation) String() string { return v.Statement + ": " + v.Text }

// patience is how long a question waits for its answer.
const patience = 2 * time.Minute

func (w *Watch) violate(statement, format string, a ...any) {
	w.violations = append(w.violations, Violation{statement, fmt.Sprintf(format, a...)})
}
