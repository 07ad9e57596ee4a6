// SPDX-License-Identifier: Apache-2.0

// Package carguardd is the root of a daemon for a car's head unit. A language
// model, the student, proposes what to say and which tools to call; a
// deterministic harness decides what reaches the car. The program is
// cmd/carguardd; this package holds no code, only the tests that look at the
// repository as a whole.
//
// # Where to begin
//
//   - README.md: what it is, a real turn, the bench.
//   - docs/design.md: the ideas, the words and the decisions with their reasons.
//   - docs/profile.md, docs/rules.md, docs/config.md: the three kinds of file
//     that a car is described with.
//   - docs/cli.md, docs/api.md, docs/turn.schema.json: what the program says.
//   - docs/gates.md, docs/performance.md: what was measured. SECURITY.md: what
//     is protected against whom.
//
// # The house
//
//	canbus       frames, transports, DBC files, logs
//	vehicle      signals, the profile, tools and effects, state, execution
//	  boundary   the one write path to every bus
//	  mqtt       topics, client, the bench's broker
//	  sim        the simulated car
//	rules        the rule language, its evaluation, and tools for authors
//	harness      the verified turn
//	  words      human language as data
//	  student    who proposes: models, the offline grammar, fakes
//	  store      the journal's key-value store
//	  judge      rule tests, played to the harness
//	  eval       measuring on recorded runs
//	cmd          the program: one file per verb, and what wires the parts
//	systemd      the service manager: units, readiness, watchdog
//	cross        packages, system tests' peers, benchmarks, fuzzing
//	testdata     the demonstration car, its policy, and a greenhouse
//
// Imports point one way: cmd, harness, rules, vehicle, canbus. What each
// package may import is stated in imports_test.go and fails the build when it
// does not hold.
//
// # What the repository's tests ask of every file
//
// A licence line; a page of package comment that also says what the package
// does not do; at most 500 lines; no unowned note of work to be done; links in
// the documents that lead somewhere. They are at the top of the tree, since no
// package owns them.
//
// # What it does not do
//
// It exports nothing and is imported by nothing. The daemon has no public Go
// API: other programs use the socket, the topics and the files.
package carguardd
