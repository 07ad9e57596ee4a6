// SPDX-License-Identifier: Apache-2.0

// Package harnesstest has fakes to test a harness with: a car in memory that
// does what its profile declares, and a student that says what it was told to
// say.
//
// It is for tests and evaluation. Nothing here is a vehicle: there is no bus,
// no boundary and no time in it.
package harnesstest
