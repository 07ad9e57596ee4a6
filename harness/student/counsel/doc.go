// SPDX-License-Identifier: Apache-2.0

// Package counsel asks a model what is no draft: whether advisory findings
// hold ([Critic]), what an utterance asks for ([Extractor]), and, in an
// evaluation, what a driver would say next ([Driver]).
//
// # How a model is asked
//
// A [Model] is asked for JSON of a form, which Ollama and OpenAI bind the
// answer to. That is used and not trusted: whatever comes is read as if nobody
// had bound it. A document inside fences or prose is found; one that cannot be
// read is asked for once more, and then it is an error. Numbers that name
// nothing are passed on, and the harness ignores and counts them.
//
// # What a model gets to see
//
// The policy, the tools with their arguments, the end of the conversation, the
// draft, and the numbered remarks, each of bounded length. Names of tools that
// do not fit are listed alone. What stands in results and in what was said is
// marked as data.
//
// # What it does not do
//
// It decides nothing: the harness drops what is late, unreadable or out of
// place. It keeps nothing between two questions, and starts no goroutine.
package counsel
