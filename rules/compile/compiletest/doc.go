// SPDX-License-Identifier: Apache-2.0

// Package compiletest has a model for tests of compilation: one that answers
// from a script and remembers what it was asked.
//
// # What it does not do
//
// It understands no form: the answers come in their order, whatever is asked.
package compiletest
