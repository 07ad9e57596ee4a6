// SPDX-License-Identifier: Apache-2.0

// Package canbustest has CAN buses for tests of programs that use package canbus.
//
// [Bus] is a bus with nobody on it: the test injects frames and changes of the
// link, and reads what was sent. [Faulty] stands between a program and a real
// or in-process bus and breaks things on demand: it loses frames, makes writes
// slow or fail, takes the link down and floods with error frames. [Clock] is a
// clock that moves when the test says so.
//
// It does not simulate control units; vehicle/sim does.
package canbustest
