// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Judge plays rule tests. Begin starts the conversation of one; the catalog
// is what is offered in it. A judge may be used by several goroutines, a
// conversation by one.
type Judge interface {
	Begin(set *rules.Set, cat *vehicle.Catalog, c *rules.Case) (Conversation, error)
}

// Conversation is one test under way. Turn returns what came of a turn; an
// error means that the judge itself failed.
type Conversation interface {
	Turn(t *rules.CaseTurn) (Outcome, error)
}

// Outcome is what came of one turn.
type Outcome struct {
	Calls  []vehicle.Call // writes that went out, in order
	Reads  []vehicle.Call // reads that nobody drafted, in order
	Held   []Held         // calls that did not go out
	Asked  []Asked        // what the driver was asked
	Told   []Told         // what the driver still has to be told
	Fired  []string       // rules that found something, by id
	Looked []string       // rules that were triggered, or would have been
}

// Held is a call that did not go out.
type Held struct {
	By   string
	Call vehicle.Call
	Why  string // for people
}

// Asked is a question about a call.
type Asked struct {
	By     string
	Call   vehicle.Call
	Naming []vehicle.Field
	Warn   []string // lexicon words
}

// Told is something that has not been said yet, or that was said and must
// not be.
type Told struct {
	By       string
	Value    vehicle.Value
	Word     string
	Withheld bool
}
