// SPDX-License-Identifier: Apache-2.0

// Package vehicle is the car as the rest of the program knows it: signals, the
// tools that act on them, what is observed, what would be, and how a call is
// carried out.
//
// # The profile
//
// A [Profile] says everything about one kind of vehicle: its [Signal]s with
// their units, ranges and bindings to CAN messages or MQTT topics, its [Tool]s
// with their schemas, what they return and what they set, and the [Limits] that
// the boundary enforces. It is loaded from YAML, checked as a whole against the
// DBC files and the schemas, and does not change afterwards. A [Catalog] is the
// part of it that is offered in one conversation.
//
// # Values and units
//
// A [Value] is a piece of data of any kind; the zero Value is unknown. Unknown is
// never false, zero or empty: a signal nobody has read, a value that its bus
// calls invalid, one outside its range and one that is too old are all unknown.
// Numbers are in the unit of their signal; [Convert] converts.
//
// # One mapping, two uses
//
// [Tool.Effects] says what a call does, as a list of [Assignment]s. [State.Apply]
// carries them out on a copy of the state: that is projection. [Executor.Do]
// sends the same list, one command for each: that is actuation. A property test
// holds them together.
//
// # Observation
//
// [Live] holds the latest observation of every signal. [CANLink] fills it from a
// bus through [Wire]s, [TopicLink] from MQTT. Ages are counted on the monotonic
// clock: a jump of the wall clock makes nothing fresh or stale, and the time in
// which the machine was suspended counts. A [Watch] tells of changes, latest wins;
// [Live.Wait] waits for a condition without polling.
//
// # Execution
//
// The [Executor] hands each command to the [Writer], which is package
// vehicle/boundary, and follows the status signal until the call is [Done]:
// observed at its target after the command left. A movement that turns round, a
// position that stands still on its way, and a control unit that says that it
// does not follow are [Failed]; no sign of the effect in time is [Unconfirmed]. A
// stop ends the call as [Stopped]. Nothing is repeated: not after a failure, not
// after a reconnect, not after a restart.
//
// # Time
//
// Whatever measures or waits takes a [Clock]. Package vehicletest has one that is
// turned by hand.
//
// # What it does not do
//
// It does not decide whether a call is allowed by policy: that is package
// harness, with the rules of package rules. It writes to no bus itself. It
// knows no conversation, no language and no model, and it never guesses a value:
// nothing is clamped, filled in or remembered beyond its time.
package vehicle
