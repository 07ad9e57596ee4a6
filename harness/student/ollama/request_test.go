// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/studenttest"
)

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
