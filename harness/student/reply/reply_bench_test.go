// SPDX-License-Identifier: Apache-2.0

package reply

import (
	"strings"
	"testing"
)

func BenchmarkSplitText(b *testing.B) {
	b.ReportAllocs()
	s := strings.Repeat("The windows are closed and the air conditioning is on. ", 6)
	for b.Loop() {
		Split(s, isTool)
	}
}

func BenchmarkSplitCall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Split(`On it. <tool_call>{"name": "set_heat", "arguments": {"level": 3}}</tool_call>`, isTool)
	}
}

func BenchmarkArguments(b *testing.B) {
	b.ReportAllocs()
	args := []byte(`{"zone": "TOP", "level": 3, "fan": true}`)
	for b.Loop() {
		Arguments(args)
	}
}
