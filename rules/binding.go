// SPDX-License-Identifier: Apache-2.0

package rules

// binding is what a rule's wildcard stands for in one evaluation.
type binding struct {
	item int // 1 + position in the rule's items; 0: unbound
	elem int // 1 + position in the list that [*] runs over; 0: unbound
}

// bindKind says what binds a rule's {item}.
type bindKind uint8

const (
	bindNone    bindKind = iota
	bindStar             // the * of a field pattern
	bindTrigger          // the item argument of the trigger
	bindElement          // the [*] of a path
)
