// SPDX-License-Identifier: Apache-2.0

// Package replay judges journalled turns once more, by other rules.
//
// [Again] lets a session of the harness live through the turns of a
// conversation: what the driver said, what the student drafted and what the
// car answered are those of the journal, what follows is the harness's.
// [Compare] holds the decisions of two turn documents against each other.
//
// # What a replay knows
//
// The car answers what the journal has for that very call; a write that is
// new takes effect as its declaration says, a read that is new tells what the
// turn began with and what was done since, and else fails. A student that is
// asked more often than then speaks the recorded reply. So the first
// difference of a conversation is what the rules would have done; what comes
// after it in the same conversation is what would likely have followed.
//
// # What it does not do
//
// It sends nothing to any car and asks no model. It does not know what a
// student would have drafted had it been told something else.
package replay
