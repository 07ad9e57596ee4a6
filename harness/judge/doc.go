// SPDX-License-Identifier: Apache-2.0

// Package judge plays rule tests to the harness that drives the car.
//
// A [Judge] is a rulestest.Judge: for every test it opens a real
// [harness.Session] on a car in memory, with a student that drafts what the
// test says and a language in which a call is its own canonical text. What
// comes out of each turn is read off the turn document: the writes whose
// effect was observed, the reads that code made, what was withheld, asked and
// left to say.
//
// # What a test takes for granted
//
// A test is about rules, not about words. So the driver has asked for what
// the test drafts: the utterance names every drafted call with its arguments,
// and the lexicon words that the test wants. An answer is a plain yes or no,
// and a reply is of the kinds that the test says. Whether a sentence is
// understood, whether a reply claims too much or whether the driver asked for
// a call at all is for other tests.
//
// # What it does not do
//
// No bus, no boundary, no model. It compares nothing: rulestest.Run does.
package judge
