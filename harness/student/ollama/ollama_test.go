// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/studenttest"
)

func newStudent(t testing.TB, s *studenttest.Server, o Options) *Student {
	t.Helper()
	o.URL = s.URL
	if o.Model == "" {
		o.Model = "fake:latest"
	}
	st, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestDraft(t *testing.T) {
	const heat = `{"zone":"TOP","level":3}`
	for _, c := range []struct {
		name  string
		reply studenttest.Reply
		text  string
		calls string // tool, canonical arguments or raw text, one a line
	}{
		{"text", studenttest.Say("It is warm."), "It is warm.", ""},
		{"call", studenttest.Call("set_heat", heat), "", `set_heat{"level":3,"zone":"TOP"}`},
		{"digits are kept", studenttest.Call("set_heat", `{"level":9007199254740993}`), "", `set_heat{"level":9007199254740993}`},
		{"arguments as a string", studenttest.Reply{Calls: studenttest.Call("set_heat", heat).Calls, Quoted: true}, "", `set_heat{"level":3,"zone":"TOP"}`},
		{"no arguments", studenttest.Call("get_state", `null`), "", `get_state{}`},
		{"a list of one object", studenttest.Call("set_heat", `[{"level":1}]`), "", `set_heat{"level":1}`},
		{"a number out of range", studenttest.Call("set_heat", `{"level":1e999}`), "", `set_heat {"level":1e999}`},
		{"a name twice", studenttest.Call("set_heat", `{"level":1,"level":2}`), "", `set_heat {"level":1,"level":2}`},
		{"a list", studenttest.Call("set_heat", `[1,2]`), "", `set_heat [1,2]`},
		{"a string that is no object", studenttest.Call("set_heat", `"hot"`), "", `set_heat hot`},
		{"an invented tool", studenttest.Call("explode", `{}`), "", `explode{}`},
		{"text and a call", studenttest.Reply{Text: "On it.", Calls: studenttest.Call("set_heat", heat).Calls}, "On it.", `set_heat{"level":3,"zone":"TOP"}`},
		{"a call in text", studenttest.Say("<tool_call>{\"name\":\"set_heat\",\"arguments\":" + heat + "}</tool_call>"), "", `set_heat{"level":3,"zone":"TOP"}`},
		{"lone surrogate", studenttest.Lines(`{"message":{"content":"a \ud83c b"},"done":true}`), "a \uFFFD b", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := studenttest.NewServer(c.reply)
			defer s.Close()
			d, err := newStudent(t, s, Options{}).Draft(t.Context(), studenttest.Prompt("heat the top"))
			if err != nil {
				t.Fatal(err)
			}
			var calls []string
			for i := range d.Calls {
				calls = append(calls, d.Calls[i].Canonical())
				if d.Calls[i].ID == "" {
					t.Error("a call without an identifier")
				}
			}
			if got := strings.Join(calls, "\n"); d.Text != c.text || got != c.calls {
				t.Errorf("text %q calls %s\nwant %q %s", d.Text, got, c.text, c.calls)
			}
			if d.Student != "ollama fake:latest" || d.Usage.ModelCalls != 1 {
				t.Errorf("student %q usage %+v", d.Student, d.Usage)
			}
		})
	}
}

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
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n"+`{"message":{"content":"The"}}`+"\n")
		_, _ = io.Copy(io.Discard, c)
	}()
	s, _ := New(Options{URL: "http://" + l.Addr().String(), Model: "m", Timeout: 50 * time.Millisecond})
	if _, err := s.Draft(t.Context(), studenttest.Prompt("x")); !errors.Is(err, student.Timeout) {
		t.Errorf("error %v", err)
	}
}

func TestRequest(t *testing.T) {
	s := studenttest.NewServer(studenttest.Say("ok"), studenttest.Say(`{"calls":[],"say":"ok"}`))
	defer s.Close()
	temp, seed := 0.0, 7
	p := studenttest.Prompt("heat the top")
	if _, err := newStudent(t, s, Options{Temperature: &temp, Seed: &seed}).Draft(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if _, err := newStudent(t, s, Options{Constrained: true}).Draft(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	var req [2]struct {
		Truncate, Stream *bool
		Options          map[string]any
		Tools            []struct {
			Function struct{ Parameters map[string]any }
		}
		Format   map[string]any
		Messages []struct{ Role, Content string }
	}
	for i, r := range s.Requests() {
		if err := json.Unmarshal(r.Body, &req[i]); err != nil {
			t.Fatal(err)
		}
		if req[i].Truncate == nil || *req[i].Truncate || req[i].Options["num_predict"] == nil || req[i].Options["num_ctx"] == nil {
			t.Errorf("limits are not set: %s", r.Body)
		}
		if req[i].Format != nil && req[i].Tools != nil {
			t.Error("tools and a constrained answer together")
		}
	}
	if req[0].Options["seed"] != 7.0 || req[0].Options["temperature"] != 0.0 || len(req[0].Tools) != 5 {
		t.Errorf("options %v, %d tools", req[0].Options, len(req[0].Tools))
	}
	level := req[0].Tools[0].Function.Parameters["properties"].(map[string]any)["level"].(map[string]any)
	if level["description"] != "0 to 9" {
		t.Errorf("level is declared as %v", level)
	}
	if req[1].Format == nil || !strings.Contains(req[1].Messages[0].Content, "set_heat") {
		t.Error("the constrained request lacks its schema or the tools' description")
	}
}

func TestConstrained(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		want         string // text | calls
		kind         student.Kind
	}{
		{"text", `{"calls":[],"say":"It is off."}`, "It is off.|", ""},
		{"calls", `{"calls":[{"tool":"set_heat","args":{"zone":"TOP","level":2}}],"say":""}`, `|set_heat{"level":2,"zone":"TOP"}`, ""},
		{"number out of range", `{"calls":[{"tool":"set_heat","args":{"level":1e9999}}],"say":""}`, `|set_heat {"level":1e9999}`, ""},
		{"truncated", `{"calls":[{"tool":"set_heat","args":{"zo`, "", student.Incomplete},
		{"not JSON", `I would rather not.`, "", student.Protocol},
		{"another form", `{"calls":"all"}`, "", student.Protocol},
		{"nothing", `{"calls":[],"say":""}`, "", student.Empty},
		{"no text at all", ``, "", student.Empty},
		{"a call in the text", `{"calls":[],"say":"<tool_call>{\"name\":\"get_state\",\"arguments\":{}}</tool_call>"}`, "|get_state{}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := studenttest.NewServer(studenttest.Say(c.answer))
			defer s.Close()
			d, err := newStudent(t, s, Options{Constrained: true}).Draft(t.Context(), studenttest.Prompt("x"))
			if student.KindOf(err) != c.kind {
				t.Fatalf("error %v, want kind %q", err, c.kind)
			}
			got := d.Text + "|"
			for i := range d.Calls {
				got += d.Calls[i].Canonical()
			}
			if err == nil && got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// A prompt that does not fit loses its oldest turns, and is then asked again.
func TestShortens(t *testing.T) {
	full := studenttest.Fail(400, "the input length exceeds the context length")
	s := studenttest.NewServer(full, studenttest.Say("ok"))
	defer s.Close()
	p := studenttest.Prompt("one")
	for _, w := range []string{"two", "three", "four"} {
		p.Messages = append(p.Messages, studenttest.Prompt(w).Messages...)
	}
	d, err := newStudent(t, s, Options{}).Draft(t.Context(), p)
	if err != nil || d.Text != "ok" {
		t.Fatal(d, err)
	}
	body := string(s.Requests()[1].Body)
	if strings.Contains(body, `"content":"one"`) || !strings.Contains(body, `"content":"four"`) {
		t.Errorf("asked again with %s", body)
	}
	s.Add(full)
	if _, err := newStudent(t, s, Options{}).Draft(t.Context(), p); !errors.Is(err, student.TooLarge) {
		t.Errorf("a turn that does not fit: %v", err)
	}
	if n := len(s.Requests()); n > 6 {
		t.Errorf("asked %d times", n)
	}
}

func TestFind(t *testing.T) {
	s := studenttest.NewServer()
	defer s.Close()
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	tools, plain := []string{"completion", "tools"}, []string{"completion"}
	for _, c := range []struct {
		name   string
		models []studenttest.Model
		want   string
		kind   student.Kind
	}{
		{"newest", []studenttest.Model{{Name: "old", Capabilities: tools, Modified: day(1)}, {Name: "new", Capabilities: tools, Modified: day(2)}}, "new", ""},
		{"loaded", []studenttest.Model{{Name: "old", Capabilities: tools, Modified: day(1), Loaded: true}, {Name: "new", Capabilities: tools, Modified: day(2)}}, "old", ""},
		{"loaded without tools", []studenttest.Model{{Name: "embed", Capabilities: plain, Loaded: true}, {Name: "new", Capabilities: tools}}, "new", ""},
		{"none fits", []studenttest.Model{{Name: "embed", Capabilities: plain}}, "", student.ModelMissing},
		{"no models", nil, "", student.ModelMissing},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.Models = c.models
			m, err := Find(t.Context(), Options{URL: s.URL})
			if m.Name != c.want || student.KindOf(err) != c.kind {
				t.Errorf("found %+v, %v", m, err)
			}
		})
	}
}

func TestAuto(t *testing.T) {
	s := studenttest.NewServer(studenttest.Say("ok"))
	defer s.Close()
	s.Models = []studenttest.Model{{Name: "thinker", Capabilities: []string{"tools", "thinking"}}}
	st, err := Auto(t.Context(), Options{URL: s.URL})
	if err != nil || st.Name() != "ollama thinker" {
		t.Fatal(st, err)
	}
	if _, err := st.Draft(t.Context(), studenttest.Prompt("x")); err != nil {
		t.Fatal(err)
	}
	if body := string(s.Requests()[0].Body); !strings.Contains(body, `"think":false`) {
		t.Errorf("request %s", body)
	}
	s.Models = nil
	if _, err := Auto(t.Context(), Options{URL: s.URL}); !errors.Is(err, student.ModelMissing) {
		t.Error(err)
	}
}

func TestHealth(t *testing.T) {
	s := studenttest.NewServer()
	defer s.Close()
	s.Models = []studenttest.Model{{Name: "good", Capabilities: []string{"tools"}}, {Name: "plain", Capabilities: []string{"completion"}}}
	for model, want := range map[string]student.Kind{"good": "", "plain": student.Refused, "gone": student.ModelMissing} {
		if err := newStudent(t, s, Options{Model: model}).Health(t.Context()); student.KindOf(err) != want {
			t.Errorf("%s: %v", model, err)
		}
	}
	if err := newStudent(t, s, Options{Model: "plain", Constrained: true}).Health(t.Context()); err != nil {
		t.Errorf("constrained: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, o := range []Options{{}, {Model: "m", URL: "127.0.0.1:11434"}, {Model: "m", URL: "ftp://x"}, {Model: "m", URL: "http://x/?a=b"}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

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
