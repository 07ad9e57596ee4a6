// SPDX-License-Identifier: Apache-2.0

// Package faulty has students that misbehave on purpose.
//
// [Script] follows a list of steps: a draft, an error, a panic, an answer that
// never comes or comes too late, fifty times the same call, a megabyte of
// text, a call printed as text. The last step is repeated.
//
// [NewRandom] returns a student that drafts at random from whatever catalog it
// is offered: valid calls with a given weight, and beside them wrong members of
// enumerations, numbers out of range, missing and extra arguments, wrong types,
// made-up identifiers, argument text that does not parse, invented tools, call
// identifiers that occur twice, false claims, questions, refusals and failures.
// Valid arguments are generated from the tool's schema and checked against
// it; identifiers are taken from earlier results, where there are any. A draft
// depends on the seed, on how many drafts were made before and on the prompt,
// and on nothing else: a run can be repeated.
//
// # What it does not do
//
// It knows no domain and no rule, and aims at nothing: what is to be hit often
// is said by [Options].Weight. It does not go through a model's text format:
// what it drafts is what the harness gets.
package faulty
