// SPDX-License-Identifier: Apache-2.0

package reply

import (
	"strings"
	"testing"
)

// Answers that are made to be slow to read are not: reading takes time in
// proportion to their length. The test would take minutes otherwise.
func TestSplitHostile(t *testing.T) {
	const size = 128 << 10
	for _, unit := range []string{"<tool>", "<tool_call>{", "```", "``` ", "{", "[", "[{", `{"a":`, `{"a":1}`, "set_heat(", "set_heat(a=", "(", "<", "<think>", "</think>", "<|", "a ", "`",
		`<function=x>`, `[TOOL_CALLS]`, `{"name":"get_state"}`, "get_state()", "a.", "</tool>", `"`, "\\", `[TOOL_CALLS]{`, "```\nget_state()\n```", "{}"} {
		p := Split(strings.Repeat(unit, size/len(unit)), isTool)
		t.Logf("%-22q %d calls, %d data, %d bytes said", unit, len(p.Calls), len(p.Data), len(p.Say))
	}
}
