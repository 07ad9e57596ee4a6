// SPDX-License-Identifier: Apache-2.0

// Package grammar is the offline student: it turns plain commands and
// questions into calls without any model. It knows no tool. What can be said
// follows from the declarations of the tools that are offered and from the
// lexicon files of the profile (package harness/words), so a new tool is
// understood at once, with its lexicon entry or, plainly, by its name.
//
// # What it understands
//
//   - several commands in one sentence: "open all windows to 50 % and turn the
//     AC on", "front defrost on and the fan to three";
//   - values in digits and words, halves and percent, units, the words of enum
//     members, on and off, and whatever the lexicon says gives a value;
//   - items, several items, groups of items and all of them;
//   - changes relative to what is: it reads first, then sets;
//   - tasks of several calls that the lexicon declares as a chain: it looks an
//     identifier up, lets the driver choose, and goes on;
//   - short answers to its own questions: "how far?" - "halfway";
//   - questions about what can be read, answered from the results.
//
// # What it refuses to guess
//
// A command it takes in part is taken not at all: a word it cannot place, two
// directions that disagree, a number that fits two arguments, a name of two
// tools. The clause goes to [harness.Draft.NotUnderstood] and the rest is
// carried out. A value that nobody named is asked for; only defaults that the
// schema or the lexicon declares are filled in. A negated, deferred,
// conditional, quoted or retracted command is none. A question never writes.
//
// # What it does not do
//
// It keeps nothing between drafts: each is made from the prompt's messages
// alone. It plans nothing that was not said, knows no policy and judges
// nothing; its drafts go through the gates like any other's. It does not chat.
package grammar
