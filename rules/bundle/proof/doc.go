// SPDX-License-Identifier: Apache-2.0

// Package proof is what a bundle has to show before it decides anything in a
// car: it loads, its own tests pass against what was compiled, and the floor
// holds.
//
// # The floor
//
// A floor is a file of tests, floor.yaml, beside the vehicle's profile. It is
// part of the car and no bundle can change it: however its rules are written,
// signed and tested, what the floor says stays true. Floor tests have the form
// of rule tests, but name no rule: each turn says with `calls:` what may come
// of its draft. A turn holds when
//
//   - nothing of what was drafted went out (it was held, or asked about and
//     then the same holds after a yes), or
//   - the calls went out in this order, other owed ones between them, and
//     nothing else of the drafted tools did.
//
// Where a turn wants no calls at all, what a yes may let go out is for the test
// to say, in a turn with an answer. A question between two packages has no yes,
// and is not answered.
//
// So a stricter bundle never breaks the floor, and one that forgets the
// sunshade does.
//
// # The deadline
//
// Tests come from outside and their number is bounded only by the size of an
// archive. [Run] ends at the context's deadline, between two turns: one turn is
// bounded by the harness itself.
//
// # What it does not do
//
// It verifies no signature and compares no version, it keeps nothing, and it
// starts no goroutine.
package proof
