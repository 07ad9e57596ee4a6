// SPDX-License-Identifier: Apache-2.0

// Package prompt turns a [harness.Prompt] into the messages that a model
// server gets.
//
// [Messages] makes the list that chat protocols want: one system message, then
// the conversation, in which every call has exactly one result right after
// it. Calls that were never carried out get a result that says so, results
// without a call get the call that they answer, because servers refuse a list
// in which either is alone. Rejected drafts follow with the findings against
// the last one.
//
// [Constrained] makes the list for a server that gets no tools but a schema
// for its answer: tools are described in the system message, and calls and
// results are written out as text in the form of the answer.
//
// [Shorten] drops the oldest turns of a list that is too long for a model.
//
// # What it does not do
//
// It decides nothing about what a student may see: that is the harness's
// prompt. It counts no tokens.
package prompt
