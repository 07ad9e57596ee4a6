// SPDX-License-Identifier: Apache-2.0

// Package student holds what all students share: the kinds of failure, and
// the [Fallback] that answers with another student while a model is down.
//
// A student proposes drafts; see [harness.Student]. The students themselves
// are the packages below this one:
//
//   - ollama talks to an Ollama server,
//   - openai talks to any endpoint that speaks the OpenAI chat protocol,
//   - grammar is the offline command grammar; it needs no model,
//   - recorded replays drafts from a file, and records them,
//   - faulty misbehaves on purpose, by script or at random, for tests,
//   - prompt, schema and reply are what the model students have in common: how
//     a prompt becomes messages, what a server can be asked to enforce, and how
//     an answer becomes a draft,
//   - web bounds what comes over HTTP,
//   - counsel asks a model what is no draft: whether advisories hold, what was
//     asked for, what a driver would say,
//   - studenttest is a fake of both servers, with faults on demand.
//
// # Failures
//
// Whatever goes wrong with a model becomes an [Error] of one [Kind]. A kind is
// an error itself, so that
//
//	errors.Is(err, student.Timeout)
//
// tells what happened, whichever student it was. [Error.Error] is for the one
// who looks after the car; [Sentence] is for the one who drives it. [Down]
// tells a server that does not work from an answer that is no use: the first
// is a reason to ask another student, the second is a reason to ask again.
//
// # Standing in
//
// [Fallback] asks its primary student and, when that is down, its standby: at
// once for the draft at hand, and without asking the primary for a while when
// it was down repeatedly. Draft.Student names the one who answered, and
// [Fallback.Notice] has the sentence for the driver.
//
// # What it does not do
//
// It judges no draft: what a student proposes, even a standby, goes through
// every gate of the harness. It starts no goroutine and keeps nothing on disk.
package student
