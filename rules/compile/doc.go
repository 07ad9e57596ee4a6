// SPDX-License-Identifier: Apache-2.0

// Package compile lets a model propose rules for the sentences of a policy
// that no rule carries out yet.
//
// [Compile] asks in two passes. The first splits sentences into atomic
// demands, each with its type and the tools it speaks of; the second writes
// one rule for one demand, from the real signatures and result fields. Both are
// forms: instructions, a text and a JSON Schema that a [Model] fills in.
//
// # What is believed
//
// Nothing. An answer is read by [ReadSplit] and [ReadProposal], which take
// whatever a model wrote; a proposed rule must then load against the catalog
// and pass what lint is certain about, beside all rules that are there
// already. What is wrong is named: a tool with parentheses, a result field that
// nothing returns, with those that are near, something empty, a value that is
// no member, a trigger that also means switching off, a remedy that triggers
// itself. The model is told once and may write that rule again; if that is
// wrong too, the sentence is kept as advisory, with the reason.
//
// Rules carry `origin: compiled` and the sentence that they come from. They
// have no tests: lint calls them inert until somebody has written some.
//
// # Cache
//
// [Key] is a hash of what an answer depends on: the sentences asked about,
// without what changes from day to day, the tools and signals, the languages
// and the version of this package. [Cache] keeps results by it. A compilation
// that failed is no result, so it is never kept.
//
// # What is not here
//
// The package reaches no model: harness/student/form makes one of a student.
// It writes no bundle, only what its files would be ([Result.Load]), and it
// does not judge whether a rule means what its sentence says: people do, with
// tests.
package compile
