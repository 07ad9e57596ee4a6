// SPDX-License-Identifier: Apache-2.0

// Package guest has the tests that run inside a guest of package vm, with real
// CAN interfaces: the daemon as a process, the simulated car in another, and
// can-utils between them. They are built with the tag vmtest for the guest's
// processor and expect the programs in /bin and the DBC files in /dbc.
//
// # What it does not do
//
// It does not run on the machine that builds it: it loads, drops and unplugs
// interfaces. It knows no buses but vcan, the two emulated controllers and a
// serial adapter that a test plays.
package guest
