// SPDX-License-Identifier: Apache-2.0

// Package peerstest finds and runs the programs that system tests talk to and
// that nobody here wrote: Debian's python3-can, python3-canmatrix and
// mosquitto with its clients. A real Ollama is in cross/ollama/ollamatest.
//
// System tests are built with the tag systemtest, their names begin with
// TestSystem, and `make test-system` runs them all. What a test has put the
// program through it says with [Count]; the table at the end of the run is
// made of that.
//
// # What it does not do
//
// It installs nothing; cross/peers.sh does. A peer that is missing is an
// error, not a skipped test: the tag was asked for.
package peerstest
