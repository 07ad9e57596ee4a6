// SPDX-License-Identifier: Apache-2.0

// Package explain shows why rules did what they did in a test, or did
// nothing.
//
// [Case] plays one test to the plain judge and keeps, of the judgements of
// every rule on every call, result or reply, the first that found something
// and the last: each condition with the value
// that it found and where that comes from, the signals that the rule looks at
// as they were observed, just before the trigger and after the whole draft,
// and what the rule demands.
//
// # What is not here
//
// Turns of the running daemon are explained by its trace. The package prints
// no advice; what is wrong with a rule is for package lint.
package explain
