// SPDX-License-Identifier: Apache-2.0

// Package sim is the simulated car: what the bench, the tests and the
// evaluation drive in place of a real one.
//
// # In process
//
// A [Car] is the state of all signals of a profile, the world around the car
// ([Data], [Context]) and the tools that act on both. [Car.Call] executes one
// call and returns what a caller would see. A tool that only reads or sets
// signals is executed by its declaration alone, its returns and effects, so
// that a vehicle nobody here has heard of (a greenhouse) works like any other.
// Navigation, weather, points of interest, contacts, calendar, e-mail, phone,
// preferences, charging arithmetic and the notebooks of the assistant are Go,
// found by the tool's name. What is neither gets its answer from a file.
//
// [NewInCar] is the car of the public in-car benchmark, to the letter: its
// envelopes, error codes, bare texts, and its quirks. Replaying recorded
// calls gives the recorded results.
//
// # Scoring
//
// A [Scorer] drives one task of that benchmark and judges it by what can be
// judged without a model: the state at the end and each time the assistant
// speaks, compared with the states along the gold calls; the tools called;
// their errors; and the automatic policy checks. [Replay] does so with a
// recorded run.
//
// # On buses
//
// A [Bench] puts a Car behind CAN and MQTT: a [Node] for each bus sends the
// status frames of the profile in their cycles, takes command frames and moves
// the state towards what they ask, in the time that such a thing takes. It
// can be told to misbehave ([Fault]): to be blocked, to reverse, to fall
// silent, to lie. Time is a [vehicle.Clock]: real, or turned by hand. In fast
// mode everything settles at once and a command is answered by its status
// before Send returns, so that ten thousand turns take seconds.
//
// # What it does not do
//
// It enforces no policy and no safety: it is the car, not its guard. Nothing
// in it knows a conversation or a rule. It does not model physics beyond the
// time a movement takes, and its clock of services stands still. Its data are
// read once and never written.
package sim
