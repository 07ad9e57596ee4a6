// SPDX-License-Identifier: Apache-2.0

// Package vehicletest has what tests of package vehicle and of its users
// need: a clock that is turned by hand and a scripted car.
//
// # The clock
//
// [Clock] is a [vehicle.Clock] whose time stands still until Advance is
// called. Advance fires what falls due in the order of the deadlines, timers
// of one deadline in the order they were made, with the clock showing each
// timer's own deadline; functions of AfterFunc run in the goroutine of
// Advance, so a simulation built on them is deterministic. Timers that are made
// while Advance runs and fall due within it fire in it too.
//
// A goroutine that waits on a timer's channel runs some time after Advance
// has sent to it; BlockUntil waits until it waits again. JumpWall moves the
// wall clock alone, as a position fix does.
//
// # What it does not do
//
// It does not simulate a car's behaviour beyond a script: that is package
// sim. It decides nothing about pass or fail; it has no assertions.
package vehicletest
