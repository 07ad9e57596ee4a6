// SPDX-License-Identifier: Apache-2.0

// Package system puts the parts of a running daemon together: the live state,
// the boundary, the executor, the student, the harness, the journal, the buses
// and the broker. The bench, the daemon and the tests build the same
// [System]; they differ in what they pass in.
//
// # What it does not do
//
// It reads no configuration file and no command line, opens no bus by itself
// and decides nothing: whoever builds a system opens what it works on and
// closes it again.
package system
