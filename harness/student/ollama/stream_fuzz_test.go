// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/studenttest"
)

func FuzzReadStream(f *testing.F) {
	for _, s := range []string{"", "{}", `{"message":{"content":"a"},"done":true}`, `{"error":"x"}`, `{"error parsing tool call":"y"}`,
		`{"message":{"tool_calls":[{"id":"1","function":{"name":"a","arguments":{"x":1e999}}}]}}` + "\n" + `{"done":true,"done_reason":"stop"}`,
		`{"message":{"tool_calls":[{"function":{"name":"a","arguments":"{\"x\":\"\\ud800\"}"}}]},"done":true}`} {
		f.Add([]byte(s))
	}
	p := studenttest.Prompt("x")
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := readStream(strings.NewReader(string(b)))
		if err != nil {
			if student.KindOf(err) == "" {
				t.Fatalf("an error without a kind: %v", err)
			}
			return
		}
		checkDraft(t, p, a)
	})
}
