// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// Domain is what is known at load about the values that the left side of a
// test can have.
type Domain struct {
	Kind    vehicle.Kind // Unknown: any
	Members []string     // of a text that has only these; nil: any text
	Unit    vehicle.Unit // of numbers; empty: bare
	Integer bool
	Bounded bool // Min and Max hold
	Min     float64
	Max     float64
}

// Domain is what the test's left side can be: of a list under each or some,
// what its elements can be.
func (t *Test) Domain() Domain {
	return Domain{Kind: t.left.kind, Members: t.left.enum, Unit: t.left.unit, Integer: t.left.integer,
		Bounded: t.left.bounded, Min: t.left.min, Max: t.left.max}
}

// Tools lists what a call or result alternative waits for, its tags resolved.
func (o *On) Tools() []string { return o.tools }

// ByTrigger reports whether {item} is what the trigger's mapped argument
// names.
func (r *Rule) ByTrigger() bool { return r.bind == bindTrigger }

// ByElement reports whether {item} is an element of a list that only the
// moment knows.
func (r *Rule) ByElement() bool { return r.bind == bindElement }

// Signal is the signal that the left side means for an item of its wildcard;
// without a wildcard the item does not matter. [vehicle.NoSignal] means that
// there is none, or that several are gathered.
func (l *FieldLeft) Signal(item string) vehicle.SignalID {
	if l.gathered {
		return vehicle.NoSignal
	}
	if !l.byItem {
		return l.signal(binding{})
	}
	for i, it := range l.items {
		if it == item {
			return l.signal(binding{item: i + 1})
		}
	}
	return vehicle.NoSignal
}

// Signals lists every signal that the pattern fits, used or not, with what
// its wildcard stands for then.
func (l *FieldLeft) Signals() []vehicle.Matched { return l.matched }

// Items lists what the wildcard is judged for: nil without one that binds.
func (l *FieldLeft) Items() []string { return l.items }

// Fixed returns the owed call's arguments for an item of the rule, and
// whether they are known before the moment.
func (o *Owe) Fixed(r *Rule, item string) (vehicle.Value, bool) {
	if o.fixed.Kind() != vehicle.Unknown {
		return o.fixed, true
	}
	for i, it := range r.items {
		if it == item && i < len(o.byItem) {
			return o.byItem[i], true
		}
	}
	return vehicle.Value{}, false
}

// ImpliedTags lists the tags that no profile has to declare, without @.
func ImpliedTags() []string { return impliedTags() }

// Tagged reports whether a tool carries a tag, declared or implied.
func Tagged(t *vehicle.Tool, tag string) bool { return t.HasTag(tag) || impliedTag(t, tag) }

// HasParts reports whether a text has all parts of another one, as `has`
// compares members of an enumeration: parts stand between underscores.
func HasParts(whole, parts string) bool { return hasParts(whole, parts) }

// Comparisons lists the comparisons by name, in the manual's order.
func Comparisons() []string { return opNames() }

// LeftSides lists the keys that open a left side.
func LeftSides() []string { return headNames() }

// ContextKind is the kind of a value of the surroundings.
func ContextKind(name string) vehicle.Kind { return contextType(name).kind }
