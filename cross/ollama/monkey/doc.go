// SPDX-License-Identifier: Apache-2.0

// Package monkey writes a language model that knows nothing: a llama of one
// layer with random weights and a vocabulary of a few hundred pieces, small
// enough to be made anew for every test. On a real Ollama server it answers
// any prompt within milliseconds with well-formed nonsense: text, calls of the
// tools it was given, calls of tools that do not exist, half of a call, all of
// these at once, and, under a schema, whatever the schema allows. One seed of
// the options gives one answer, so that a failure can be replayed.
//
// [Write] writes the model in the GGUF format, [Modelfile] is what `ollama
// create` needs beside it. The program in mkmonkey does both.
//
// # How it is steered
//
// The first dimension of every embedding is one large constant, so that the
// first column of the output matrix is a bias of each piece: closing quotes and
// the end are made likelier than chance, and so are the pieces that are a
// whole call. Everything else about the weights is random.
//
// # What it does not do
//
// It learns nothing and is no measure of speed or quality. Its numbers ignore
// the bounds of a schema, as those of every model on that server do.
package monkey
