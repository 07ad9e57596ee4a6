// SPDX-License-Identifier: Apache-2.0

// Package rules holds policy as typed, executable rules.
//
// A policy is written for people; a bundle says the same again as rules, each
// one sentence of it: on this call, if that holds, this is owed, needed, asked,
// forbidden, chosen or told. docs/rules.md teaches the language. [Load] reads a
// bundle, checks every name, unit and constant in it against the tools and
// signals of a [vehicle.Catalog], and returns a [Set] that does not change
// any more. What cannot be evaluated is an error there, never ignored later.
//
// # Judging
//
// A set is indexed by what its rules wait for: [Set.On] a call, [Set.OnResult]
// a result, [Set.OnReply] a reply. The harness takes the rules of the call it
// looks at and asks each of them, in this order,
//
//	truth, evidence, wants := r.Triggered(env)
//	for _, m := range r.Matches(env) { // once for each window, seat, route …
//		r.Owed(env, &m)    // auto_action, repair of a precondition: exact calls
//		r.Needs(env, &m)   // precondition, constraint: false is a violation
//		r.Asks(env, set)   // confirmation: what the question must carry
//		r.Chooses(env, &m) // selection: the choice, and better ones
//		r.Tells(env, set, &m) // disclosure: what must be said, or must not
//	}
//
// where [Env] is what the harness knows at that moment.
//
// # Three values
//
// Every test is true, false or unknown, joined by Kleene's connectives. An
// unknown answer comes with the reads that would settle it ([Want]); what
// then stays unknown is for the rule's own `unknown:` to say. Nothing that is
// unknown is taken for false: not a signal nobody has read, not null, not a
// text that says "unknown", not a missing element of a list.
//
// # Cost
//
// Names, patterns, units and item spellings are resolved at load. A rule that
// does not fire allocates nothing and costs some tens of nanoseconds a test;
// evidence is only gathered, by a second evaluation, once a rule may fire.
//
// # Files
//
// One thing a file: on.go, test.go, op.go, right.go, effect.go, say.go are the
// parts of a rule as written; left.go and a left_*.go each are the left sides,
// with how they are read, checked and evaluated; read_*.go read YAML, check_*.go
// type, eval*.go and judge.go evaluate. Package rules/rulestest runs the tests
// of a bundle; lint, explain, coverage, diff, format, fields and bench are for
// authors.
//
// # What is not here
//
// The package decides nothing about a draft as a whole: projection, order and
// merging of owed calls, requests against rules, consent and wording are the
// harness's. It keeps no state, reads no clock, does no I/O but through the
// file system that [Load] is given, and starts no goroutine. It does not sign,
// ship or activate bundles, plays no tests at load, and no model writes rules
// here.
package rules
