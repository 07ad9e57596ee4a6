// SPDX-License-Identifier: Apache-2.0

// Package harness is the verified turn: an utterance becomes a reply and
// effects that were observed.
//
// A [Student] proposes, the harness decides. Every draft is looked at by
// every gate of [Gates] on what was really observed and on the state the car
// would have after it; what code can mend it mends, what needs judgement goes
// back to the student a bounded number of times, and a write that still
// carries a hard finding is withheld. A [Session] is one conversation, its
// [Session.Turn] one turn of it, and the [Turn] it returns holds every draft,
// finding, repair, frame and observation.
//
// # The parts
//
//   - facts.go, project.go: what is known, and what would be after a draft.
//   - plan.go, clash.go: what the rules owe for a draft, as the least fixed
//     point of "project, find a violated rule, add what it owes".
//   - gates.go lists the gates; each has a file gate_….go with its exact
//     decision procedure. basis.go: what a write may rest on.
//   - prefetch.go, verify.go, repair.go, revise.go, release.go, withhold.go,
//     execute.go: the way of a draft. hear.go and consent.go: the way of an
//     answer. asks.go: the ledger of what the driver asked for.
//   - advise.go, critic.go, vote.go, extract.go: what further calls of a model
//     are for, each of which can be left out. valve.go: what a student's
//     insistence may drop.
//   - suite.go: the gates alone, for a conversation that somebody else drives.
//
// # What it does not do
//
// It knows no vehicle, no tool and no rule by name: an invented domain works
// without a line of code. It imports no transport, no HTTP, no model and no
// store; it gets a [Car], a [Student], a [Journal] and a [Language] and
// trusts none of them to answer sensibly. It asks no model that it was not
// given, and gives a gate no deadline. It verifies a write anew when the live car has changed
// since, but interlocks on signals at the moment a frame leaves are the
// boundary's, which needs no harness to hold.
package harness
