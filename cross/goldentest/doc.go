// SPDX-License-Identifier: Apache-2.0

// Package goldentest compares what a test made with a golden file, and writes
// the file anew when the test is run with -update. It declares no flag: each
// package of tests has its own, which also serves golden files of several
// parts.
package goldentest
