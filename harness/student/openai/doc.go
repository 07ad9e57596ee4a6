// SPDX-License-Identifier: Apache-2.0

// Package openai is the student that asks a model at any endpoint that speaks
// the OpenAI chat completions protocol: a llama.cpp or vLLM server in the car
// or in the workshop, or a service on the net.
//
// # What is asked
//
// On amd64, which workshops and developers have, the official client carries the
// request. Everywhere else, on ARM above all, a small one of ours does: the
// official one adds 17 to 20 MB to the program, almost as much as all the rest of
// it. Both are given the same bytes and must give the same errors; the tests run on
// both. Nothing of the settings comes from the environment, and nothing is asked
// again: that is the harness's decision. The tools go along with their argument
// schemas reduced to what every server understands, or, with
// [Options].Constrained, the answer is bound to a schema and the tools are
// described in the prompt.
//
// # What is believed
//
// An answer counts when it says why it ended, and that it was not cut short.
// Arguments are read from the raw text of the answer with every digit kept.
// Every failure is an error of a kind of package student.
//
// # The key
//
// [ReadKey] reads it from a file, such as a credential of systemd; it is never
// a configuration value. A key is not sent over plain HTTP to another machine,
// and not to where a server redirects.
//
// # What it does not do
//
// It knows no other endpoint of that service, and does not stream.
package openai
