// SPDX-License-Identifier: Apache-2.0

// Package reply turns what a model answered into a draft.
//
// # Arguments
//
// [Arguments] reads the argument text of a call. An object becomes a value
// with every digit kept; a string that holds an object is read as that object,
// an array of one object as its element, nothing at all as no arguments.
// Whatever else it is stays in Call.Raw for the gate that judges the format of
// arguments; a lone surrogate becomes U+FFFD.
//
// # Calls in text
//
// Models print calls as text: in fences, in tags, as bare JSON, as the source
// of a program. [Split] parts what can be spoken from what cannot, and reads
// calls out of the latter. What looks like a call and cannot be read is a call
// with its text in Raw, so that it is reported and not lost; data that is no
// call at all is left out. Neither is ever spoken. Reasoning between think
// tags is left out too.
//
// # Identifiers
//
// Every call of a draft gets an identifier that neither the conversation nor
// the draft has used before. The model's own is kept when it will do.
//
// # What it does not do
//
// It judges nothing: a call of an unknown tool, with arguments that break its
// schema, or made where only text was asked for, is passed on as it is.
package reply
