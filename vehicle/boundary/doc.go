// SPDX-License-Identifier: Apache-2.0

// Package boundary is the one way from this program to a bus.
//
// It knows signals, frames and topics, and no conversation. Whoever wants the
// car to do something hands it a [Command]; the boundary decides alone, on
// what it sees at that moment, and sends or returns a [Refusal]. It fails
// closed: what it cannot establish, it refuses.
//
// # What may leave
//
// The allow-list follows from the command bindings of the profile: for each
// one the bus, the identifier and its format, the length, and the bits of the
// signal; for MQTT the command topic. There is no other way to extend it, and
// a frame is checked bit by bit: [Boundary.SendFrame], the way of the command
// line, decodes the frame it is given and judges it as the commands it stands
// for.
//
// # The gates
//
// The file gates.go lists them in their order. A command passes once through
// all of them; those that depend on time are asked again in the goroutine that
// sends, right before the frame leaves, and again before each retry. A
// gate that panics refuses.
//
//   - tx-allow-list and range: a command binding, and a value the signal can
//     have. Nothing is ever moved into the range.
//   - stop: a movement commanded by a turn that began before the last stop.
//   - conflict: another call's command of the same signal is under way towards
//     another value.
//   - link: the controller is error-active or warning; the MQTT client is
//     connected.
//   - interlock and freshness: the profile's conditions on live signals. A
//     signal that is unknown or stale does not allow, and the refusal says so.
//   - rate: a token bucket for each signal that the profile limits, and one for
//     each bus.
//   - base: the bits of the frame that are not commanded have known content:
//     what their binding calls idle, else the frame of that identifier another
//     node sent last, else the target under way or the value observed.
//   - consent-still-valid: the guard that the sender passed with the command.
//
// # Sending
//
// One frame leaves at a time on each bus. Counter and checksum of a message that
// is protected end to end are computed last; the counter goes on over every
// reconnect. A write has a deadline of its own; a controller whose queue is full
// is tried again within the cycle time of the message. Nothing is queued: what
// could not be sent is forgotten, and nothing that was asked before is sent after
// a reconnect or a restart.
//
// # Cycles
//
// When the DBC gives a message of commands a cycle, a command is said again a
// few times after its first frame, and then released: the frame says what the
// binding calls idle. Before each of these frames the gates that look at the
// present are asked again; a command that they refuse is released at once. A
// cyclic message is also sent while nothing is asked, unless another node sends
// it. When the bus is lost, everything held is forgotten, and so is what other
// nodes sent. A cycle that comes much too late, after the machine was suspended,
// releases what was held. [Boundary.Release], and Close with it, releases what was
// asked last.
//
// # Stop
//
// [Boundary.Stop] passes no gate. It begins a new epoch, takes back what has
// not left yet, and sends for each movement the value that ends it, within
// 100 ms. Movements of an earlier epoch are refused from then on, so a turn
// that began before the stop moves nothing until it has ended.
//
// # What it does not do
//
// It does not wait for effects and calls nothing done: that is the executor of
// package vehicle. It plans nothing, repairs nothing and asks nobody. It does
// not protect against whoever else is on the bus.
package boundary
