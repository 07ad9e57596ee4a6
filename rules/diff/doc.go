// SPDX-License-Identifier: Apache-2.0

// Package diff compares two bundles: by what they say, rule by rule, and by
// what they do, over the tests of both.
//
// A rule is changed when one of its keys says something else; layout and
// comments do not count. What bundles do is compared turn by turn, whatever
// the tests expect: a test that passes with both may still show a difference.
//
// # What is not here
//
// Recorded drives are compared by package eval. The package does not say
// which of the two is right.
package diff
