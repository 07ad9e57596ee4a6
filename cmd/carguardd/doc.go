// SPDX-License-Identifier: Apache-2.0

// Carguardd is the daemon of a car's head unit that lets a language model
// propose and a deterministic harness decide, and the tools around it.
//
//	carguardd bench            the simulated car, with a prompt
//	carguardd run --config F   the daemon proper
//	carguardd failsafe         say that the daemon has failed for good
//	carguardd say TEXT         speak to a running daemon
//	carguardd can …            watch, send, decode and check CAN
//	carguardd trace …          what past turns did
//	carguardd rules …          format, check, lint, test and compare rules
//	carguardd fields           what a rule may name
//	carguardd eval …           measure the harness on recorded runs
//	carguardd doctor           what works here and what does not
//	carguardd version          what this binary is
//
// # What goes where
//
// Results go to standard output, everything else to standard error. An error
// is one lower-case line that begins with "carguardd: ", says what failed and
// where, and ends without a full stop; what to do about it follows on lines
// that begin with "hint: ". Exit codes: 0 done, 1 the operation failed, 2 the
// command line is wrong, 3 rules are not as they should be (findings, or tests
// that fail), 78 a configuration file is wrong (so that a service manager does
// not try again).
//
// # What it does not do
//
// This package decides nothing. It wires the parts together, one file per
// verb, and turns what they say into text or JSON.
package main
