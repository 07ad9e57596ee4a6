// SPDX-License-Identifier: Apache-2.0

// Package ollama is the student that asks a model on an Ollama server.
//
// # What is asked
//
// Requests are those of the server's own package, github.com/ollama/ollama/api.
// Each sets num_ctx and num_predict, so that a model that never stops is
// stopped, and truncate: false, so that a prompt that does not fit is refused
// and not cut silently; [Student] then drops the oldest turns and asks once
// more. Tools and a constrained answer are never asked for together: with
// both, the server may swallow the rest of an answer that looks like a call.
// With [Options].Constrained the tools are described in the prompt and the
// answer is bound to a schema that the server survives; see package schema.
//
// # What is believed
//
// Nothing that was not seen to the end. The body is read line by line, each
// bounded, and all together; an answer counts when a line says done with
// another reason than length. An error in a line, the error key of a call
// that the server could not parse, an empty body, a page of HTML, a stream that
// ends early, JSON that ends early under done_reason stop: each is an error of
// a kind of package student. Arguments are read from the raw body, so that no
// digit is lost on the way through a float64.
//
// The api package's own Chat is not used. It allocates a buffer of 8 MiB per
// call, which a head unit feels, and it reports success for streams that never
// said done; its other methods are used through a client whose answers are
// bounded as well.
//
// # Finding a server
//
// [Find] looks whether a server answers, within a short time, and picks a
// model that can call tools: one that is loaded already, else the one that was
// changed last. [Student.Health] asks the same of the model in use.
//
// # What it does not do
//
// It pulls no models and starts no server. It does not stream to the driver:
// nothing of an answer is spoken before all of it was checked.
package ollama
