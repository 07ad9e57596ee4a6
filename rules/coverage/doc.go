// SPDX-License-Identifier: Apache-2.0

// Package coverage says, sentence by sentence, what becomes of a policy.
//
// A sentence of policy.md is executable when a rule quotes it, or a part of
// it; advisory when the bundle lists it as one, with a reason; and otherwise
// not covered: nobody has decided about it. Headings are no sentences.
//
// # What is not here
//
// Whether a rule does what its sentence says is for its tests, and for people
// to judge; the package only counts who claims which sentence.
package coverage
