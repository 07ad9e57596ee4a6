// SPDX-License-Identifier: Apache-2.0

// Package rig builds the bench: the simulated car behind in-process buses and
// an embedded broker, and the same [system.System] that drives a real car in
// front of them.
//
// # What it does not do
//
// Nothing in it is used by the daemon on a real car. It never opens a real
// CAN interface; foreign tools can join its buses when asked for, on a
// loopback address.
package rig
