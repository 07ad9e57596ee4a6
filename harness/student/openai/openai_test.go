// SPDX-License-Identifier: Apache-2.0

package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/reply"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

type newEnds = func(Options) endpoint

// both runs a test on the endpoint of this build and on the one without the
// official client.
func both(t *testing.T, test func(t *testing.T, ends newEnds)) {
	for name, ends := range map[string]newEnds{"native": newEndpoint, "direct": newDirect} {
		t.Run(name, func(t *testing.T) { test(t, ends) })
	}
}

func newStudent(t testing.TB, ends newEnds, s *studenttest.Server, o Options) *Student {
	t.Helper()
	o.URL = s.URL + "/v1"
	if o.Model == "" {
		o.Model = "fake:latest"
	}
	st, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	st.ends = ends(st.o)
	return st
}

func draftText(d harness.Draft) string {
	s := d.Text + "|"
	for i := range d.Calls {
		s += d.Calls[i].Canonical()
	}
	return s
}

func TestDraft(t *testing.T) { both(t, testDraft) }

func testDraft(t *testing.T, ends newEnds) {
	for _, c := range []struct {
		name  string
		reply studenttest.Reply
		want  string
	}{
		{"text", studenttest.Say("It is warm."), "It is warm.|"},
		{"call", studenttest.Call("set_heat", `{"zone":"TOP","level":3}`), `|set_heat{"level":3,"zone":"TOP"}`},
		{"digits are kept", studenttest.Call("set_heat", `{"level":9007199254740993}`), `|set_heat{"level":9007199254740993}`},
		{"empty arguments", studenttest.Calls(vehicle.Call{Tool: "get_state"}), `|get_state{}`},
		{"arguments that do not parse", studenttest.Call("set_heat", `{"level":`), `|set_heat {"level":`},
		{"arguments twice encoded", studenttest.Call("set_heat", `"{\"level\":1}"`), `|set_heat{"level":1}`},
		{"a wrong name", studenttest.Call("functions.set_heat", `{}`), `|set_heat{}`},
		{"a call in text", studenttest.Say("Sure.\n```json\n{\"name\": \"get_state\", \"arguments\": {}}\n```"), `Sure.|get_state{}`},
		{"arguments as an object", studenttest.Reply{ContentType: "application/json", Body: []byte(
			`{"choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[{"id":"1","type":"function","function":{"name":"set_heat","arguments":{"level":2}}}]}}]}`)},
			`|set_heat{"level":2}`},
		{"refusal", studenttest.Reply{ContentType: "application/json", Body: []byte(
			`{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"I cannot do that."}}]}`)}, "I cannot do that.|"},
		{"lone surrogate", studenttest.Reply{ContentType: "application/json", Body: []byte(
			`{"choices":[{"finish_reason":"stop","message":{"content":"a \ud83c b"}}]}`)}, "a \uFFFD b|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.reply.Tokens = [2]int{30, 4}
			s := studenttest.NewServer(c.reply)
			defer s.Close()
			d, err := newStudent(t, ends, s, Options{}).Draft(t.Context(), studenttest.Prompt("heat the top"))
			if err != nil {
				t.Fatal(err)
			}
			if got := draftText(d); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if c.reply.Body == nil && (d.Usage.InputTokens != 30 || d.Usage.OutputTokens != 4) || d.Usage.ModelCalls != 1 || d.Student != "openai fake:latest" {
				t.Errorf("usage %+v of %q", d.Usage, d.Student)
			}
		})
	}
}

func TestFailures(t *testing.T) { both(t, testFailures) }

func testFailures(t *testing.T, ends newEnds) {
	jsonBody := func(s string) studenttest.Reply {
		return studenttest.Reply{Body: []byte(s), ContentType: "application/json"}
	}
	status := func(n int, body string) studenttest.Reply {
		return studenttest.Reply{Status: n, Body: []byte(body), ContentType: "application/json"}
	}
	for _, c := range []struct {
		name  string
		reply studenttest.Reply
		want  student.Kind
		says  string
	}{
		{"wrong key", status(401, `{"error":{"message":"Incorrect API key","type":"invalid_request_error","code":"invalid_api_key"}}`), student.Refused, "check the key"},
		{"no such model", status(404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`), student.ModelMissing, "does not exist"},
		{"no such page", status(404, `{}`), student.Protocol, "/v1"},
		{"quota", status(429, `{"error":{"message":"quota"}}`), student.Refused, "quota"},
		{"broken", status(500, `{"error":{"message":"overloaded"}}`), student.Server, "overloaded"},
		{"broken, in plain text", studenttest.Reply{Status: 502, Body: []byte("bad gateway"), ContentType: "text/plain"}, student.Server, "502"},
		{"prompt too long", status(400, `{"error":{"message":"maximum context length is 10","code":"context_length_exceeded"}}`), student.TooLarge, "longer"},
		{"error under 200", jsonBody(`{"error":{"message":"upstream"}}`), student.Server, "upstream"},
		{"no choices", jsonBody(`{}`), student.Protocol, "no choice"},
		{"html", studenttest.Page(), student.Protocol, "text/html"},
		{"empty body", jsonBody(``), student.Empty, "nothing"},
		{"truncated", jsonBody(`{"choices":[{"finish_reason":"stop","mess`), student.Incomplete, ""},
		{"garbage", jsonBody("\x01\x02"), student.Protocol, ""},
		{"a list", jsonBody("[1]"), student.Protocol, ""},
		{"cut off", studenttest.Reply{Text: strings.Repeat("long ", 2000), Cut: true}, student.Incomplete, "broke off"},
		{"dropped", studenttest.Reply{Drop: true}, student.Unreachable, "hung up"},
		{"length", studenttest.Reply{Text: "The door", Reason: "length"}, student.Incomplete, "most tokens"},
		{"filter", studenttest.Reply{Text: "The door", Reason: "content_filter"}, student.Incomplete, "filter"},
		{"no reason", studenttest.Reply{Text: "The door", NoEnd: true}, student.Incomplete, "why it ended"},
		{"nothing said", studenttest.Reply{}, student.Empty, "without text and calls"},
		{"long answer", jsonBody(`{"choices":[{"finish_reason":"stop","message":{"content":"` + strings.Repeat("x", 2<<20) + `"}}]}`), student.TooLarge, "larger"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := studenttest.NewServer(c.reply)
			defer s.Close()
			d, err := newStudent(t, ends, s, Options{}).Draft(t.Context(), studenttest.Prompt("heat the top"))
			if !errors.Is(err, c.want) {
				t.Fatalf("error %v (kind %s), want %s; draft %+v", err, student.KindOf(err), c.want, d)
			}
			if !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "openai fake:latest: ") {
				t.Errorf("error %q, want it to say %q", err, c.says)
			}
		})
	}
}

func TestUnreachableAndDeadline(t *testing.T) { both(t, testUnreachableAndDeadline) }

func testUnreachableAndDeadline(t *testing.T, ends newEnds) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String() + "/v1"
	l.Close()
	gone, err := New(Options{URL: url, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gone.Draft(t.Context(), studenttest.Prompt("x")); !errors.Is(err, student.Unreachable) {
		t.Errorf("nobody there: %v", err)
	}
	if err := gone.Health(t.Context()); !errors.Is(err, student.Unreachable) {
		t.Errorf("health: %v", err)
	}
	s := studenttest.NewServer(studenttest.Reply{Until: make(chan struct{})})
	defer s.Close()
	if _, err := newStudent(t, ends, s, Options{Timeout: 30 * time.Millisecond}).Draft(t.Context(), studenttest.Prompt("x")); !errors.Is(err, student.Timeout) {
		t.Errorf("deadline: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newStudent(t, ends, s, Options{}).Draft(ctx, studenttest.Prompt("x")); !errors.Is(err, student.Cancelled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The whole conversation goes out in the form that the protocol demands:
// every call with its result behind it, whatever the history looks like.
func TestRequest(t *testing.T) { both(t, testRequest) }

func testRequest(t *testing.T, ends newEnds) {
	s := studenttest.NewServer(studenttest.Say("ok"))
	defer s.Close()
	p := studenttest.Prompt("heat the top")
	p.Messages = append(p.Messages,
		harness.Message{Role: harness.ToolRole, Result: &vehicle.Result{CallID: "p1", Tool: "get_state", Status: vehicle.Done, Value: vehicle.MustJSON(`{"heat":0}`)}},
		harness.Message{Role: harness.Assistant, Calls: []vehicle.Call{{ID: "a", Tool: "set_heat", Raw: "{oops"}, {ID: "b", Tool: "get_state", Args: vehicle.ObjectOf()}}},
		harness.Message{Role: harness.ToolRole, Result: &vehicle.Result{CallID: "b", Tool: "get_state", Status: vehicle.Failed, Reason: "no power"}})
	p.Rejected = []harness.Draft{{Calls: []vehicle.Call{{ID: "c", Tool: "set_heat", Args: vehicle.MustJSON(`{"level":12}`)}}}}
	p.Findings = "level 12 is over 9"
	st := newStudent(t, ends, s, Options{Key: "sk-secret"})
	if _, err := st.Draft(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	r := s.Requests()[0]
	if r.Header.Get("Authorization") != "Bearer sk-secret" {
		t.Errorf("authorization %q", r.Header.Get("Authorization"))
	}
	var req struct {
		MaxTokens int `json:"max_tokens"`
		Messages  []struct {
			Role, Content string
			ToolCallID    string `json:"tool_call_id"`
			ToolCalls     []struct {
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		Tools []struct{ Function struct{ Parameters any } }
	}
	if err := json.Unmarshal(r.Body, &req); err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{}
	roles := ""
	for _, m := range req.Messages {
		roles += m.Role[:1]
		if m.Role != "tool" && len(open) > 0 {
			t.Errorf("a %s message before the results of %v", m.Role, open)
		}
		if m.Role == "tool" && !open[m.ToolCallID] {
			t.Errorf("a result of %q, which was not called", m.ToolCallID)
		}
		delete(open, m.ToolCallID)
		for _, c := range m.ToolCalls {
			open[c.ID] = true
			if !json.Valid([]byte(c.Function.Arguments)) {
				t.Errorf("arguments %q", c.Function.Arguments)
			}
		}
	}
	if roles != "suatattatu" || len(open) > 0 || len(req.Tools) != 5 || req.MaxTokens == 0 {
		t.Errorf("roles %s, open %v, %d tools", roles, open, len(req.Tools))
	}
	if !strings.Contains(req.Messages[len(req.Messages)-1].Content, p.Findings) {
		t.Error("the findings are not said")
	}
}

func TestConstrained(t *testing.T) { both(t, testConstrained) }

func testConstrained(t *testing.T, ends newEnds) {
	s := studenttest.NewServer(studenttest.Say(`{"calls":[{"tool":"set_heat","args":{"level":1e9999}}],"say":""}`))
	defer s.Close()
	d, err := newStudent(t, ends, s, Options{Constrained: true}).Draft(t.Context(), studenttest.Prompt("x"))
	if err != nil || draftText(d) != `|set_heat {"level":1e9999}` {
		t.Errorf("%s, %v", draftText(d), err)
	}
	if body := string(s.Requests()[0].Body); !strings.Contains(body, `"json_schema"`) || strings.Contains(body, `"tools"`) {
		t.Errorf("request %s", body)
	}
}

func TestHealth(t *testing.T) { both(t, testHealth) }

func testHealth(t *testing.T, ends newEnds) {
	s := studenttest.NewServer()
	defer s.Close()
	if err := newStudent(t, ends, s, Options{}).Health(t.Context()); err != nil {
		t.Error(err)
	}
	if err := newStudent(t, ends, s, Options{Model: "gone"}).Health(t.Context()); !errors.Is(err, student.ModelMissing) {
		t.Error(err)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"no model":      {URL: "http://127.0.0.1/v1"},
		"no scheme":     {URL: "127.0.0.1:1/v1", Model: "m"},
		"key in clear":  {URL: "http://example.org/v1", Model: "m", Key: "k"},
		"query in it":   {URL: "https://example.org/v1?x=y", Model: "m"},
		"another thing": {URL: "unix:///x", Model: "m"},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := New(Options{URL: "http://[::1]:8080/v1", Model: "m", Key: "k"}); err != nil {
		t.Error(err)
	}
}

func TestReadKey(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, want, err string }{
		"good":  {" sk-1\n", "sk-1", ""},
		"empty": {"\n", "", "empty"},
		"two":   {"a\nb\n", "", "one line"},
		"long":  {strings.Repeat("k", 5000), "", "at most"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadKey(path)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := ReadKey(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing file is taken")
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`{}`, `{"choices":[]}`, `{"error":{"message":"x"}}`, `{"choices":[{"finish_reason":"stop","message":{"content":"a"}}]}`,
		`{"choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[{"id":"1","function":{"name":"a","arguments":"{\"x\":1e999}"}}]}}]}`,
		`{"choices":[{"finish_reason":"stop","message":{"tool_calls":[{"id":1,"function":{"name":["a"],"arguments":[1]}}]}}]}`} {
		f.Add([]byte(s))
	}
	p := studenttest.Prompt("x")
	f.Fuzz(func(t *testing.T, b []byte) {
		res, err := parse(b)
		if err != nil {
			return
		}
		text, calls, err := read(res)
		if err == nil {
			_, err = reply.Draft(p, text, calls)
		}
		if err != nil && student.KindOf(err) == "" {
			t.Fatalf("an error without a kind: %v", err)
		}
	})
}
