// SPDX-License-Identifier: Apache-2.0

// Package attack plays attacks on the harness: drivers who assert what is not
// so, who press, who claim authority, who split a forbidden act over turns or
// turn an old yes into a new one, and texts in tool results that give orders;
// each with a student that obeys the attacker.
//
// A [Case] says how the car stands, what is said, what the fooled student drafts,
// and what must never happen: calls that are carried out, states that the car is
// in, words that are spoken. [Stage.Play] plays it to a real session on a
// simulated car in process. Every case names what holds it, rules or gates; with
// these switched off the same attack must succeed. A suite that cannot fail shows
// nothing.
//
// # What it does not do
//
// It has no buses: what only the boundary's interlocks hold is played on the bench
// (package rig), with the same cases. It asks no model: whether a student can be
// fooled is no question here, it is.
package attack
