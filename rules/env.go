// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// Truth is one of three values. Unknown is neither: it becomes a read, a
// question or a refusal, never false.
type Truth int8

// The three values. The zero value is Unknown.
const (
	False   Truth = -1
	Unknown Truth = 0
	True    Truth = 1
)

func (t Truth) String() string { return [...]string{"false", "unknown", "true"}[t+1] }

// Not, And and Or are Kleene's connectives.
func (t Truth) Not() Truth        { return -t }
func (t Truth) And(o Truth) Truth { return min(t, o) }
func (t Truth) Or(o Truth) Truth  { return max(t, o) }

// TruthOf turns a boolean into a truth.
func TruthOf(b bool) Truth {
	if b {
		return True
	}
	return False
}

// At says which moment a field is looked at.
type At uint8

// The moments: as observed, just before the trigger call, and after the
// whole draft.
const (
	Seen At = iota
	Before
	After
)

// Why says why a fact's value is or is not known.
type Why uint8

// The reasons. The zero value is a fact nobody has read.
const (
	Unread    Why = iota // no read has been made: make it
	Observed             // a result or a live signal carried it
	Projected            // it follows from a write after the observation
	Null                 // it was read, and the answer was null or "unknown"
	Stale                // only a reading older than a failed or outdated one exists
	OwnWrite             // a write of the draft left it open: read after it
	Absent               // nothing offered returns it
)

// Fact is a value with where it comes from.
type Fact struct {
	Value  vehicle.Value
	Why    Why
	CallID string    // the observation's call, or the write's
	Time   time.Time // of the observation
}

// Known reports whether the fact says anything.
func (f Fact) Known() bool { return f.Value.Known() }

// Env answers what the left sides of tests ask. The harness implements it
// over its history; rule tests implement it over a small conversation. It is
// only used during one evaluation, by one goroutine, and must not block.
type Env interface {
	// Catalog is what is offered.
	Catalog() *vehicle.Catalog
	// Trigger is the call under judgement, or nil when a reply is judged. In a
	// rule on a result it is the call that gave it.
	Trigger() *vehicle.Call
	// Field is the value of a signal at a moment.
	Field(s vehicle.SignalID, at At) Fact
	// Result is the result of the latest good call of the tool: with the exact
	// arguments when args is known, else whatever they were.
	Result(tool string, args vehicle.Value) Fact
	// Ref is the latest observed object that bears the identifier.
	Ref(id string) Fact
	// Objects calls yield for every observed object with an identifier.
	Objects(yield func(id string, object vehicle.Value) bool)
	// Context is a value of the surroundings: now.day, here.id, language.
	Context(name string) vehicle.Value
	// Called calls yield for each successful call since the moment, newest
	// first. The calls of the draft before the trigger count as well.
	Called(since Since, yield func(c *vehicle.Call, at time.Time) bool)
	// Consented reports whether the driver said yes to exactly this call.
	Consented(c *vehicle.Call) bool
	// Batch calls yield for each call of the draft under judgement.
	Batch(yield func(c *vehicle.Call) bool)
	// Reply is the text under judgement, or empty when a call is judged.
	Reply() string
	// ReplyIs reports whether the reply under judgement is of a kind; it is
	// not asked for [AnyReply].
	ReplyIs(kind ReplyKind) Truth
	// Told reports whether the value or lexicon word was spoken to the driver,
	// the reply under judgement included.
	Told(text []string) Truth
	// Wants reports whether an open ask or a stored preference names one of
	// the words of a lexicon entry.
	Wants(words []string) Truth
	// Now is the time of the evaluation.
	Now() time.Time
}

// ReplyKind says what a reply does.
type ReplyKind string

// The kinds of a reply that a rule can wait for.
const (
	AnyReply      ReplyKind = "any"
	ReplyClaim    ReplyKind = "claim"    // says that something was done
	ReplyRefusal  ReplyKind = "refusal"  // says that something cannot be done
	ReplyQuestion ReplyKind = "question" // asks the driver
)

// Since bounds how far back [Env.Called] looks.
type Since struct {
	Turn   bool   // this turn only
	Call   string // not before the latest good call of this tool; empty: no bound
	Within time.Duration
}

// Evidence is one condition of a rule with what was found: field = value, op,
// threshold.
type Evidence struct {
	Left   string        `json:"left"` // as the rule writes it, the item filled in
	Value  vehicle.Value `json:"value"`
	Op     string        `json:"op"`
	Right  vehicle.Value `json:"right"`
	Truth  Truth         `json:"truth"`
	CallID string        `json:"call_id,omitempty"`
	Why    Why           `json:"why,omitempty"`
}

// Want is a read that would make an unknown condition known: of a signal, or
// one exact call. A call whose Args are unknown is a read of that tool with
// arguments that the rule leaves open. Impossible is set when nothing offered
// can tell; with neither signal nor call nothing can be read at all.
type Want struct {
	Signal     vehicle.SignalID // or vehicle.NoSignal
	Call       *vehicle.Call
	Impossible bool
	Why        Why
}

// Match is one way in which a rule's conditions hold, or may hold.
type Match struct {
	Item     string // what the rule's wildcard stands for; empty without one
	Truth    Truth
	Evidence []Evidence
	Wants    []Want // what would settle an unknown match

	bind binding
}

// OwedCall is a call that a rule demands.
type OwedCall struct {
	Call vehicle.Call
	With bool // anywhere in the same draft; else before the trigger
}
