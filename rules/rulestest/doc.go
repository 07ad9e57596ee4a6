// SPDX-License-Identifier: Apache-2.0

// Package rulestest runs the tests of a rule bundle.
//
// A rule test ([rules.Case]) is a small conversation in a car of a given
// state. [Run] plays each test to a [Judge], which says what came of each
// turn, compares that with what the test expects, and reports every
// difference. It also reports rules that no test makes fire, and rules that
// no test makes look and stay silent.
//
// The judge that decides in the car is the harness. [Plain] is a second one,
// small enough to be read in one sitting: it projects a draft over the
// declared effects of its calls, adds what the rules owe until nothing more
// is owed, reads what the rules need to know, and holds, asks and tells what
// they say. It runs the tests where there is no harness, and shows up a
// harness that disagrees.
//
// # Fakes
//
// [Env] is a [rules.Env] made of plain fields, for tests of single rules.
//
// # What is not here
//
// No model, no bus, no consent in words: a test says that the driver
// answered yes or no, not how. Plain does not revise a draft, does not weigh
// a request against a rule, and does not merge owed calls beyond the rule
// that a later owed call to the same signals replaces an earlier one, and
// that calls for every item become the one call for all.
package rulestest
