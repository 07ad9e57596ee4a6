// SPDX-License-Identifier: Apache-2.0

// Package schema makes JSON Schemas that model servers survive.
//
// A server that is asked to constrain an answer turns the schema into a
// grammar, and some of what JSON Schema allows stops it dead: a pattern with a
// lookahead kills the Ollama server, a maxLength of 5000 kills its runner, a
// schema without a type is read as an object. [Reduce] keeps the part of a
// schema that is safe everywhere and widens the rest: every value that the
// schema allows, its reduction allows too. What is lost this way is put into
// words by [Describe], for the model to read, and is still checked by the
// harness, which validates each call against the tool's own schema.
//
// [Draft] is the schema of a whole answer, for servers that can constrain
// answers but not tools and answers at once.
//
// # What it does not do
//
// It validates nothing, and it follows no reference to another document.
package schema
