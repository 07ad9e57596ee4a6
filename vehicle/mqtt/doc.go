// SPDX-License-Identifier: Apache-2.0

// Package mqtt is the car's side of an MQTT broker: a client that comes back, the
// topics and documents that the daemon shares with other programs, and calls to
// services that live elsewhere.
//
// # Topics
//
// All topics are carguard/<vehicle>/ and one of these; a path is a VSS path with
// slashes for its dots. [Kind] says who sends what, [ParseTopic] takes a topic
// apart and [Topics] builds it.
//
//	state/<path>                a signal's value, retained    {"v": 21.5, "ts": "2026-…Z", "q": "ok"}
//	set/<path>                  a command, never retained     {"v": 22, "id": "r1"}, or just 22
//	ack/<request id>            what came of it               {"ok": false, "reason": "…"}
//	status                      online, offline; retained
//	utterance                   what the driver said          {"text": "…", "id": "u1", "lang": "de"}, or just text
//	reply                       what is said to the driver    {"id": "u1", "turn": "…", "text": "…"}
//	findings, turn              one JSON document each, of package harness
//	service/<tool>/call         a call to a service           {"id": "…", "args": {…}, "timeout_ms": 5000}
//	service/<tool>/result/<id>  its result                    {"result": …} or {"error": "…"}
//	probe/<client id>           a client's message to itself, retained
//
// The signals of a vehicle profile that are bound to MQTT have a status topic and
// a command topic of their own below carguard/<vehicle>/; [Bindings] speaks those.
//
// # Old commands
//
// A window must not open because a broker was restarted. So a command is never
// retained: [Client.Publish] refuses to, and a retained one that is found on a
// command topic is refused, logged, and on request cleared. Nothing is queued
// while there is no connection, nothing is sent again after a reconnect, and a
// message that the broker does not confirm in time ends the connection, which
// keeps it from arriving late. This is why each connection has a paho client of
// its own and paho's own reconnecting is off.
//
// # Old states
//
// A broker keeps a retained status for as long as it likes, and delivers it anew
// at each reconnect. [Bindings.Subscribe] says which are retained, for they are of
// an unknown age, and hands on none whose connection has ended by the time it is
// its turn: [Client.OnLink] has told that what it said is old.
//
// # Connected means heard
//
// Brokers lose subscriptions when they restart, and some grant what they will
// not deliver. A client therefore subscribes anew after each connect, and is up
// only when a message that it sent to itself has come back; the test is repeated
// every half minute. The same message, being retained, tells when another client
// uses the same id, which otherwise looks like a bad network.
//
// # What it does not do
//
// It decides nothing: whether a command may go out is the business of
// vehicle/boundary, whether one that came in is carried out that of the harness.
// It speaks MQTT 3.1.1 only, over TCP or TLS, not websockets. It keeps no
// messages on disk and promises no delivery. It cannot see that a broker's access
// list swallows a publication, which MQTT 3.1.1 does not tell; the missing status
// is what shows that. A command that somebody retains while we listen looks like
// any other and is carried out, once. The broker of the bench is in the folder
// broker.
package mqtt
