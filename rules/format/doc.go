// SPDX-License-Identifier: Apache-2.0

// Package format lays the files of a bundle out in one way.
//
// There is one layout and no option: keys in the order in which docs/rules.md
// teaches them, a value on its key's line when the line then has at most
// [Width] letters, else one part a line; two spaces, an empty line between
// rules, texts without quotes where YAML allows it. What an author orders
// with meaning (tests, arguments, languages, members of a state) stays in its
// order. Comments stay with what they stand before or behind.
//
// [Source] never changes what a file says: it reads its own output back, and
// an error is returned, not a file, should anything differ.
//
// # What is not here
//
// The package knows the keys of the language only to order them; whether they
// are right is for rules.Load to say. It writes no files.
package format
