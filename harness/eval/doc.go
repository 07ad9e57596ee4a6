// SPDX-License-Identifier: Apache-2.0

// Package eval measures the harness on conversations that real models had.
//
// A [Corpus] is a recorded benchmark: tasks, the runs that models made on
// them, the tools they were offered and the policy they were given. A [Kit] is
// the domain that judges: a vehicle profile, its rules and its words. Four
// questions can be asked of the two:
//
//   - [Corpus.CompareSim]: does the simulated car give the recorded results
//     and verdicts? What is measured on it is worth as much as this answer.
//   - [Replay]: what do the gates find on every recorded step, with the
//     history up to it? Every finding in a failed run is held against the
//     step at which the run was lost ([Blame]), every finding in a passed
//     run against what it would have changed.
//   - [Drive]: what would have come of a run with the whole harness around
//     the student, which keeps proposing what it proposed? What the harness
//     asks the recorded driver answers where he was asked then too, else a
//     script by the gold calls, which says their values when asked for one.
//   - [Live]: what does a student come to on the tasks, with no harness, the
//     gates alone, or all of it around it, as it drafts as it goes? Its driver
//     is scripted or a model; its score is the part that code can give.
//
// A [Figure] stands beside its bar, and a [Floor] keeps it from getting worse.
//
// # Right and wrong
//
// A finding is right when it stands at or before the blame step and what it
// touches is what failed: it withholds or changes the blamed call or reply,
// or supplies the gold call or read that is missing. It is wrong when, in a
// run that passed, it would have withheld or changed a write or a reply: the
// recorded calls are carried out once more on a simulated car with the finding
// applied, and the state the next time the assistant speaks must be the
// recorded one. A repair that adds exactly a gold call, or changes nothing,
// is right.
//
// # What it does not do
//
// It opens no network and asks no model by itself: a live run gets its student
// and driver passed in, and what a model must judge (the tone of a reply) is
// taken from the record or left out. It
// never tunes a gate, and it knows no task, run or identifier by name.
package eval
