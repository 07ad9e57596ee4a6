// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// Rule is one sentence of policy in executable form: one condition, one
// effect. It does not change after loading and may be evaluated by many
// goroutines at once, each with its own [Env].
type Rule struct {
	ID     string
	Type   Type
	Policy string // the sentence it comes from
	// Compiled is set when a model wrote the rule and nobody has reviewed it.
	Compiled bool
	On       []*On
	If       []*Test
	Unless   []*Test

	// The effect. Which of these a rule may have follows from its type.
	Owe      []*Owe  // auto_action, and the exact repair of a precondition
	Default  bool    // auto_action: yields to any value that satisfies the rule
	Need     []*Test // precondition
	Ask      *Ask    // confirmation
	Forbid   *Forbid // prohibition
	Must     []*Test // constraint
	AtMost   int     // constraint: calls of On in one draft; 0: no bound
	Choose   *Choose // selection
	Tell     []*Tell // disclosure
	Withhold []*Tell // disclosure: what must not be said
	By       By      // disclosure: when it must have been said

	Unknown Class
	Error   Class
	Absent  Class
	Say     map[string]*Sentence // by language

	Pos vehicle.Pos

	bind  bindKind
	items []string // what {item} ranges over, unless bindElement
	elems elementSource
	needs []Requirement
}

// Type is the kind of a rule, with its one legal effect.
type Type string

// The seven types.
const (
	AutoAction   Type = "auto_action"  // owe: calls that must be made too
	Precondition Type = "precondition" // need: what must hold before the trigger
	Confirmation Type = "confirmation" // ask: the driver must say yes to the trigger
	Prohibition  Type = "prohibition"  // forbid: the trigger must not be made
	Constraint   Type = "constraint"   // must, at_most: what the trigger must look like
	Selection    Type = "selection"    // choose: which of several the trigger must take
	Disclosure   Type = "disclosure"   // tell, withhold: what the driver must be told
)

// Types lists every type.
func Types() []Type {
	return []Type{AutoAction, Precondition, Confirmation, Prohibition, Constraint, Selection, Disclosure}
}

// effects lists the keys that hold a type's effect; the first of a group is
// needed, the others may follow.
func (t Type) effects() []string {
	switch t {
	case AutoAction:
		return []string{"owe", "default"}
	case Precondition:
		return []string{"need", "owe"}
	case Confirmation:
		return []string{"ask"}
	case Prohibition:
		return []string{"forbid"}
	case Constraint:
		return []string{"must", "at_most"}
	case Selection:
		return []string{"choose"}
	case Disclosure:
		return []string{"tell", "withhold", "by"}
	}
	return nil
}

// moment is when a field of the rule is looked at unless it says otherwise.
func (t Type) moment() At {
	if t == AutoAction || t == Disclosure {
		return After
	}
	return Before
}

// JudgesReply reports whether the rule has an `on: reply`.
func (r *Rule) JudgesReply() bool {
	for _, o := range r.On {
		if o.Reply != "" {
			return true
		}
	}
	return false
}

// JudgesResult reports whether the rule has an `on: result`.
func (r *Rule) JudgesResult() bool {
	for _, o := range r.On {
		if o.Result != "" {
			return true
		}
	}
	return false
}

// Items lists what {item} ranges over, in the profile's order; nil when the
// rule has no wildcard, or one over the elements of a list.
func (r *Rule) Items() []string { return r.items }

// Triggers lists the tools whose calls (or results) the rule waits for.
func (r *Rule) Triggers() []string {
	var l []string
	for _, o := range r.On {
		l = appendNew(l, o.tools...)
	}
	return l
}

func appendNew(l []string, names ...string) []string {
	for _, n := range names {
		seen := false
		for _, have := range l {
			seen = seen || have == n
		}
		if !seen {
			l = append(l, n)
		}
	}
	return l
}
