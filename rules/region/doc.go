// SPDX-License-Identifier: Apache-2.0

// Package region says where the conditions of a rule hold.
//
// A rule's conditions are conjunctions of comparisons of one value with
// constants, so each of them allows its value an interval of numbers or a set
// of words. A [Conj] keeps what is left for every value when all hold
// together; [Of] writes a rule as alternatives of such conjunctions, one for
// each trigger tool, alternative of `on` and `any`, and item of its wildcard.
// With that it is decided by intersection alone whether a rule can ever
// match, whether two can match at once, and whether one implies another.
//
// # Three values
//
// A rule fires where its conditions are true. A comparison of what is not
// known is neither true nor false, and so is its opposite; both therefore
// leave only known values. `known: false` alone leaves only the unknown.
//
// # What it takes for opaque
//
// A comparison of two values that both change (a field with an argument), one
// over the elements of a list, and one of a value without a type is a word of
// its own, true or false: the same comparison and its opposite exclude each
// other, and nothing else is concluded. Where there would be more than
// [Limit] alternatives the answer is that it is not decided.
//
// # What is not here
//
// The package judges no draft and knows no state of a vehicle; truth at a
// moment is what package rules answers. It proves nothing about rules whose
// values depend on each other through a draft.
package region
