// SPDX-License-Identifier: Apache-2.0

// Package compiletest has a model for tests of compilation: one that answers
// from a script.
package compiletest
