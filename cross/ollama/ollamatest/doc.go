// SPDX-License-Identifier: Apache-2.0

// Package ollamatest runs a real Ollama server with the model of package
// monkey for tests.
//
// [Start] finds the server that build.sh has built, starts it on a free
// loopback port with a folder of its own, and creates the model. The server is
// killed at the end of the test. Where no server was built, the test is
// skipped with a line that says how to build it, or fails when CI is set.
//
// # What it does not do
//
// It builds nothing and downloads nothing.
package ollamatest
