// SPDX-License-Identifier: Apache-2.0

// Package form lets a student fill in forms: questions whose answer is one
// object of a given JSON Schema, such as those of rules/compile.
//
// A form is put to the student as a prompt with one tool, whose arguments are
// the answer. So every student that proposes drafts can fill in forms, with an
// answer bound to the schema where its server can do that, and a recording of
// drafts is a recording of answers.
//
// # What it does not do
//
// It judges no answer, and it asks once: what a server's failure means is for
// the one who asked. A student that knows only what drivers say, such as the
// offline one, cannot fill in forms; it is not recognised here.
package form
