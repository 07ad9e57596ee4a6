// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/studenttest"
)

func TestFailures(t *testing.T) {
	big := strings.Repeat("x", 70<<10)
	many := make([]string, 200)
	for i := range many {
		many[i] = `{"message":{"tool_calls":[{"function":{"name":"get_state","arguments":{}}}]}}`
	}
	for _, c := range []struct {
		name  string
		reply studenttest.Reply
		want  student.Kind
		says  string
	}{
		{"status 500", studenttest.Fail(500, "model runner has terminated"), student.Server, "runner has terminated"},
		{"status 401", studenttest.Fail(401, "no"), student.Refused, "check the key"},
		{"status 429", studenttest.Fail(429, "slow down"), student.Refused, "slow down"},
		{"no such model", studenttest.Fail(404, `model "fake" not found, try pulling it first`), student.ModelMissing, "ollama pull fake:latest"},
		{"no such page", studenttest.Reply{Status: 404, Body: []byte("404 page not found"), ContentType: "text/plain"}, student.Protocol, "is an Ollama server"},
		{"no tools", studenttest.Fail(400, "registry/fake does not support tools"), student.Refused, "choose a model"},
		{"prompt too long", studenttest.Fail(400, "the input length exceeds the context length"), student.TooLarge, "num_ctx"},
		{"html", studenttest.Page(), student.Protocol, "text/html"},
		{"empty body", studenttest.Lines(), student.Empty, "nothing"},
		{"blank lines", studenttest.Lines("", " "), student.Empty, "nothing"},
		{"empty plain body", studenttest.Reply{Body: []byte{}, ContentType: "text/plain"}, student.Empty, "nothing"},
		{"nothing said", studenttest.Reply{}, student.Empty, "without text and calls"},
		{"no end", studenttest.Reply{Text: "The door is", NoEnd: true}, student.Incomplete, "without saying done"},
		{"cut off", studenttest.Reply{Text: strings.Repeat("long ", 2000), Cut: true}, student.Incomplete, "broke off"},
		{"dropped", studenttest.Reply{Drop: true}, student.Unreachable, "hung up"},
		{"length", studenttest.Reply{Text: "The door", Reason: "length"}, student.Incomplete, "num_predict"},
		{"error in the stream", studenttest.Lines(`{"message":{"content":"The"}}`, `{"error":"llama runner process has terminated"}`), student.Server, "llama runner"},
		{"error object", studenttest.Lines(`{"error":{"code":7}}`), student.Server, "code"},
		{"call that the server could not parse", studenttest.Lines(`{"error parsing tool call":"raw='{'"}`), student.Protocol, "could not parse a tool call"},
		{"garbage", studenttest.Lines("\x00\x01ÿ"), student.Protocol, "no message"},
		{"JSON of another form", studenttest.Lines(`{"message":"hello","done":true}`), student.Protocol, "no message"},
		{"a list", studenttest.Lines(`[1,2]`), student.Protocol, "no message"},
		{"text after the end", studenttest.Lines(`{"message":{"content":"a"},"done":true}`, `{"message":{"content":"b"}}`), student.Protocol, "follows the end"},
		{"long line", studenttest.Lines(`{"message":{"content":"` + big + `"},"done":true}`), student.TooLarge, "line"},
		{"long answer", studenttest.Reply{Body: []byte(strings.Repeat(`{"message":{"content":"aaaa"}}`+"\n", 40000)), ContentType: "application/x-ndjson"}, student.TooLarge, "larger"},
		{"many calls", studenttest.Lines(many...), student.TooLarge, "calls"},
		{"data that is no call", studenttest.Say("```json\n{\"a\": 1}\n```"), student.Protocol, "neither text nor a call"},
		{"elsewhere", studenttest.Reply{Status: 307, Body: []byte("x")}, student.Protocol, "elsewhere"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := studenttest.NewServer(c.reply)
			defer s.Close()
			d, err := newStudent(t, s, Options{}).Draft(t.Context(), studenttest.Prompt("heat the top"))
			if !errors.Is(err, c.want) || student.KindOf(err) != c.want {
				t.Fatalf("error %v (kind %s), want %s; draft %+v", err, student.KindOf(err), c.want, d)
			}
			if !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "ollama fake:latest: ") {
				t.Errorf("error %q, want it to say %q", err, c.says)
			}
			if s := student.Sentence(err, "de-AT"); s == "" || strings.ContainsAny(s, "{<") {
				t.Errorf("sentence %q", s)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	s, err := New(Options{URL: url, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Draft(t.Context(), studenttest.Prompt("x")); !errors.Is(err, student.Unreachable) || !student.Down(err) {
		t.Errorf("draft: %v", err)
	}
	if err := s.Health(t.Context()); !errors.Is(err, student.Unreachable) {
		t.Errorf("health: %v", err)
	}
	if _, err := Find(t.Context(), Options{URL: url}); !errors.Is(err, student.Unreachable) {
		t.Errorf("find: %v", err)
	}
}

// A stalled answer ends with the deadline, in whatever state it is.
func TestDeadline(t *testing.T) {
	never := make(chan struct{})
	s := studenttest.NewServer(studenttest.Reply{Until: never})
	defer s.Close()
	_, err := newStudent(t, s, Options{Timeout: 30 * time.Millisecond}).Draft(t.Context(), studenttest.Prompt("x"))
	if !errors.Is(err, student.Timeout) || !errors.Is(err, context.DeadlineExceeded) || !student.Down(err) {
		t.Errorf("own deadline: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(s.Requests()) < 2 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, err = newStudent(t, s, Options{}).Draft(ctx, studenttest.Prompt("x"))
	if !errors.Is(err, student.Cancelled) || !errors.Is(err, context.Canceled) || student.Down(err) {
		t.Errorf("cancelled: %v", err)
	}
}

// A deadline in mid-stream is a timeout, not an answer that broke off.
func TestDeadlineInStream(t *testing.T) {
	l := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or the end of the connection is not noticed
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, `{"message":{"content":"The"}}`+"\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer l.Close()
	s, _ := New(Options{URL: l.URL, Model: "m", Timeout: 50 * time.Millisecond})
	if _, err := s.Draft(t.Context(), studenttest.Prompt("x")); !errors.Is(err, student.Timeout) {
		t.Errorf("error %v", err)
	}
}
