// SPDX-License-Identifier: Apache-2.0

package faulty

import (
	"math/rand/v2"

	"github.com/carguardd/carguardd/vehicle"
)

// Shape is what a random draft is made of.
type Shape string

// The shapes of a draft.
const (
	JustCalls  Shape = "calls"
	Claim      Shape = "claim"      // says that something was done
	Question   Shape = "question"   // asks the driver
	Chat       Shape = "chat"       // says something harmless, or refuses
	Both       Shape = "both"       // text beside calls
	PrintedAs  Shape = "printed"    // a call as text
	Flood      Shape = "flood"      // fifty times the same call
	Stubborn   Shape = "stubborn"   // the rejected draft again
	Unreported Shape = "report"     // lets the harness report
	Failure    Shape = "failure"    // an error
	Emptiness  Shape = "emptiness"  // neither text nor calls nor an error
	Gibberish  Shape = "gibberish"  // text that cannot be spoken
	Injected   Shape = "injected"   // text that poses as the system
	Repetition Shape = "repetition" // a call of an earlier draft again
)

var shapes = []Shape{JustCalls, Claim, Question, Chat, Both, PrintedAs, Flood, Stubborn, Unreported, Failure, Emptiness, Gibberish, Injected, Repetition}

// Options of a random student. Weights are relative to each other within
// their map; what a map lacks never happens. A nil map is the default.
type Options struct {
	Seed   uint64
	Shapes map[Shape]int
	Faults map[Fault]int
	// MaxCalls is how many calls a draft has at most, a flood apart; 4.
	MaxCalls int
	// Steps is after how many drafts of one turn it speaks, mostly; 4.
	Steps int
	// Weight is how likely a tool is chosen; nil: writes 3, all others 1. Tools
	// of weight 0 are never called.
	Weight func(*vehicle.Tool) int
	// Hints are values that an argument of that name, or a member of one, mostly
	// has: names of places that exist, today. What the schema does not allow of
	// them is drawn again.
	Hints map[string][]vehicle.Value
}

// DefaultShapes and DefaultFaults return weights that let about half of the
// calls be valid.
func DefaultShapes() map[Shape]int {
	return map[Shape]int{JustCalls: 60, Claim: 6, Question: 4, Chat: 6, Both: 8, PrintedAs: 3, Flood: 1, Stubborn: 3,
		Unreported: 2, Failure: 1, Emptiness: 1, Gibberish: 1, Injected: 1, Repetition: 3}
}

// DefaultFaults returns the default weights of faults.
func DefaultFaults() map[Fault]int {
	return map[Fault]int{Valid: 60, WrongEnum: 5, OutOfRange: 5, WrongType: 5, MissingArg: 5, ExtraArg: 4, WrongID: 4,
		Unreadable: 4, InventedTool: 4, SameID: 4}
}

func (o Options) withDefaults() Options {
	if o.Shapes == nil {
		o.Shapes = DefaultShapes()
	}
	if o.Faults == nil {
		o.Faults = DefaultFaults()
	}
	if o.MaxCalls == 0 {
		o.MaxCalls = 4
	}
	if o.Steps == 0 {
		o.Steps = 4
	}
	if o.Weight == nil {
		o.Weight = func(t *vehicle.Tool) int {
			if t.Access == vehicle.Write {
				return 3
			}
			return 1
		}
	}
	return o
}

// draw draws one of the things by weight; the first one when all weigh
// nothing.
func draw[T comparable](r *rand.Rand, things []T, weight func(T) int) T {
	sum := 0
	for _, t := range things {
		sum += max(weight(t), 0)
	}
	if sum == 0 {
		return things[0]
	}
	n := r.IntN(sum)
	for _, t := range things {
		if n -= max(weight(t), 0); n < 0 {
			return t
		}
	}
	return things[0] // not reached
}
