// SPDX-License-Identifier: Apache-2.0

// Package fields lists what a rule author may name: the signals of a vehicle,
// its tools with their arguments and what their results hold, tags, the
// surroundings, units, comparisons, left sides, and the words of a bundle's
// lexicon.
//
// # What is not here
//
// Nothing is checked: a name that is not in the list is an error of
// rules.Load, which proposes the nearest one.
package fields
