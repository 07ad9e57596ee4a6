// SPDX-License-Identifier: Apache-2.0

// Package gate is the deterministic gates at the action boundary of a foreign
// agent.
//
// Somebody else's program talks to its model and calls its tools; before it
// carries out a call it asks here. A [Conversation] is told what was said, what
// was read and done, and what is proposed. Each proposed call is allowed, or
// rejected with the gate and the rule that speak against it, the reason, and
// what would be right instead: a document that takes the place of the call's
// result, so that the model reads it and does better. [Serve] does the same on
// JSON lines; docs/gate.md explains the protocol and docs/gate.schema.json is
// its schema.
//
// The gates look in a fixed order, that of [harness.Gates], and the first that
// holds something against a call names itself. A rejected call is no part of the
// conversation: it is not scored, it does not count as made, and the same call is
// judged anew when it is proposed again. A gate that breaks off is named in the
// answer and holds nothing against anybody. What was allowed and has no result
// yet is on its way: what is proposed next is judged as if it had its effect.
//
// # Consent
//
// A call that needs the driver's yes is rejected with the exact question. When
// the agent then says this question, word for word and whatever it says before
// it, the next words of the driver decide about exactly the calls of the question.
// A question in the agent's own words counts as far as it names the call and
// all of its values.
//
// # What it does not do
//
// It carries out nothing, reads nothing and keeps nothing: what the car says is
// known only from the results it is told. It asks no model. It repairs nothing;
// what code could mend is in the remedy. It cannot see whether the agent heeds
// it: the boundary to a bus is somebody else's (package vehicle/boundary).
package gate
