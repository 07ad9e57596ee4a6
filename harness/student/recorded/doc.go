// SPDX-License-Identifier: Apache-2.0

// Package recorded is a student that replays drafts, and a recorder that
// writes down what another student drafts.
//
// # The format
//
// A recording is a file of JSON lines, one draft or failure each; empty lines
// and lines that begin with # are skipped:
//
//	{"after": "turn the fan on", "draft": {"calls": [{"id": "a", "tool": "set_fan", "args": {"on": true}}]}}
//	{"after": "result of set_fan", "draft": {"text": "The fan is on."}}
//	{"after": "findings", "draft": {"text": "I cannot do that."}}
//	{"error": {"kind": "timeout", "text": "no answer"}}
//
// after is what the prompt ends with: the text of the last message, "result of"
// and the tool when the last message is a result, or "findings" when the last
// draft was rejected. Entries with it are used whenever it is equal: several of
// the same in their order, the last one for ever. Entries without it are used
// once each, in their order, when no other fits. Unknown members are errors.
//
// # What it does not do
//
// It compares nothing but the end of the prompt: a recording replays a
// conversation, it does not understand one.
package recorded
