// SPDX-License-Identifier: Apache-2.0

// Package sharedtest finds what tests look at and the project does not carry:
// the recorded benchmark and the public DBC files. [Path] names the folder.
//
// # What it does not do
//
// It fetches and changes nothing. Data that is missing skips a test and says
// so; in CI it fails it, since there a skipped test proves nothing.
package sharedtest
