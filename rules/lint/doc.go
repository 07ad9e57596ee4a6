// SPDX-License-Identifier: Apache-2.0

// Package lint finds what is wrong with rules that load.
//
// [rules.Load] refuses what cannot be evaluated. What can be, and still does
// not do what its author meant, is found here: a rule that can never match,
// two that demand opposite things, a remedy that another rule forbids, a rule
// that no test makes fire, a sentence that nobody wants to hear read aloud.
//
// Every check is an [Analyzer] in a file of its own; [Analyzers] is the only
// list of them. [Run] applies them to a loaded set and returns the findings
// in the order of the files; [WriteText], [WriteJSON] and [WriteSARIF] print
// them. docs/rules.md explains each check by its name.
//
// # Levels
//
// An [Error] is certain: the rule is broken, whatever the car does. A
// [Warning] is what an author mostly did not mean, but may have.
//
// # What is not here
//
// Nothing is changed: layout is package format's. The checks decide by
// interval and set reasoning alone (package region), never by trying states;
// what they cannot decide so they do not report. Whether the rules say what
// the policy says is for people, tests and package coverage.
package lint
