// SPDX-License-Identifier: Apache-2.0

// Package web is the HTTP client of the students that talk to a server. It
// bounds what may come back and turns what goes wrong into the errors of
// package student.
//
// [NewClient] returns a client whose answers are limited in size as a whole
// and per line, must say that they are JSON when they report success, and are
// not followed to another address. [SendError] and [ReadError] name what
// failed on the way there and on the way back; [StatusError] names what an
// error status means.
//
// # What it does not do
//
// It knows no protocol of a model server, retries nothing and caches nothing.
// It sets no deadline: that is the context's, which every caller must bound.
package web
