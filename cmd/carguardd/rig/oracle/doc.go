// SPDX-License-Identifier: Apache-2.0

// Package oracle states the policy of the demonstration car a second time, in
// plain Go, and watches turns of the bench with it.
//
// A [Watch] hears every frame on every bus. It keeps what the status frames
// say, decodes each command frame by the bit positions of the car's two
// databases, and judges it at the moment it leaves: what the policy wants of
// the car before a roof, a window, a light or the climate control moves, and
// whether the driver agreed where the policy wants him asked. At the end of
// a turn it is given the turn's document and compares it with what it saw:
// every frame belongs to a call of the document and every call that is called
// done has its effect on the bus, nothing was written for a question or after
// a no, a yes was used once, the reply is not empty, claims nothing that was
// not observed and tells what the policy wants told.
//
// What a service would refuse, or only answers wrongly, is judged by what
// reached it: a second navigation, a route between two points of interest, one
// that was never looked up, a place or a contact by no proper name, a charging
// station at no kilometre. What the policy wants told is judged by the reply of the turn in
// which it came up: units, the toll on a route that the reply calls by its name
// when it was looked up just now (021), the fastest roads of a trip (022) and
// its toll (022-toll) when the navigation is set, and all that was found when
// the first two are named (pois). A marked tool is seen by the statement that
// a question about it is asked for (004).
//
// The statements carry the numbers that the policy text gives them; the rest,
// which holds whatever a policy says, is named by words: "frame", "done",
// "question", "no", "consent", "reply", "claim", "interlock".
//
// # What it does not do
//
// It shares no code with packages rules and harness and reads no rule file:
// a mistake made there is not made here too. It does not decide what a turn
// should do, only what it must not have done; a turn that does nothing at all
// is clean. It knows the demonstration car by heart and no other. It does not
// look for a route or a point of interest that is described in a later turn
// than it was looked up.
package oracle
