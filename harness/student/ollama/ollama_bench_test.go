// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"github.com/carguardd/carguardd/harness/student/studenttest"
)

func BenchmarkDraft(b *testing.B) {
	b.ReportAllocs()
	s := studenttest.NewServer(studenttest.Call("set_heat", `{"zone":"TOP","level":3}`))
	defer s.Close()
	st, p := newStudent(b, s, Options{}), studenttest.Prompt("heat the top")
	for b.Loop() {
		if _, err := st.Draft(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}

// The same request by the api package's own Chat, for comparison: see the
// package comment.
func BenchmarkAPIChat(b *testing.B) {
	b.ReportAllocs()
	s := studenttest.NewServer(studenttest.Call("set_heat", `{"zone":"TOP","level":3}`))
	defer s.Close()
	st := newStudent(b, s, Options{})
	req, msgs := st.request(studenttest.Prompt("heat the top"))
	req.Messages = messages(msgs)
	for b.Loop() {
		if err := st.api.Chat(b.Context(), req, func(api.ChatResponse) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadStream(b *testing.B) {
	b.ReportAllocs()
	text := strings.Repeat(`{"model":"m","message":{"role":"assistant","content":" word"},"done":false}`+"\n", 100) + `{"message":{"content":""},"done":true,"done_reason":"stop"}` + "\n"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := readStream(strings.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
