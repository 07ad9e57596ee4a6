// SPDX-License-Identifier: Apache-2.0

// Package studenttest is a fake of the servers that students talk to: the
// chat endpoints of Ollama and of OpenAI, with the lists of models, on a
// loopback port.
//
// A [Server] answers each chat request with the next [Reply] of its script. A
// reply says what a model would say, and how the server fails at saying it:
// slowly, cut off, with an error status, with a page of HTML. The same reply is
// rendered in the protocol of the endpoint that was asked. Requests are kept
// as they came, so that a test can see what was asked.
//
// # What it does not do
//
// It runs no model and understands no request: it does not know which tools
// were offered, and does not bound the length of an answer.
package studenttest
