// SPDX-License-Identifier: Apache-2.0

// Package api is the daemon's local HTTP interface.
//
// It is served on a unix socket that only the daemon's group may open, and
// where it is asked for on a loopback address to those who have a token; a
// [Guard] stands before both. See docs/api.md for every request and answer
// with examples.
//
//	POST /v1/turns    {"text": "…"}    one utterance, answered by its turn document
//	GET  /v1/turns, /v1/turns/ID       past turns, from the journal
//	GET  /v1/state                     every signal with value, time and quality
//	GET  /v1/events                    server-sent events: what every turn does, as it does it
//	POST /v1/stop                      ends every movement at once
//	GET  /v1/bundle, /v1/bundle/history   which rules are in force, and how they came
//	POST /v1/bundle/install, pin, unpin, rollback
//	GET  /healthz, /readyz, /metrics   for supervisors
//
// # What it does not do
//
// It decides nothing: an utterance takes the same way as one spoken in the
// car, and there is no request that reaches a bus past the harness and the
// boundary. It does not listen on a network, keeps no history of its own (the
// journal does) and knows no users: whoever may open the socket, or has the
// token, may speak to the car.
package api
