// SPDX-License-Identifier: Apache-2.0

package counsel

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/ollama"
	"github.com/carguardd/carguardd/harness/student/openai"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

// models are both protocols, asking one server.
func models(t *testing.T, s *studenttest.Server) map[string]Model {
	t.Helper()
	a, err := ollama.New(ollama.Options{URL: s.URL, Model: "fake:latest"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := openai.New(openai.Options{URL: s.URL + "/v1", Model: "fake:latest"})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Model{"ollama": a, "openai": b}
}

func aCase(remarks ...string) *harness.Case {
	p := studenttest.Prompt("turn the fan on")
	p.Policy = "Be gentle."
	return &harness.Case{Prompt: p, Advisories: remarks,
		Draft: harness.Draft{Text: "I will.", Calls: []vehicle.Call{{Tool: "set_fan", Args: vehicle.MustJSON(`{"on":true}`)}}}}
}

func TestCritic(t *testing.T) { // 124, 136
	for _, c := range []struct {
		name    string
		replies []studenttest.Reply
		want    harness.Verdict
		calls   int
		err     student.Kind
	}{
		{"both", []studenttest.Reply{studenttest.Say(`{"verdicts":[{"number":1,"confirm":true},{"number":2,"confirm":false}]}`)},
			harness.Verdict{Confirmed: []int{1}, Discarded: []int{2}}, 1, ""},
		{"in a fence, behind prose", []studenttest.Reply{studenttest.Say("Well {so} then:\n```json\n{\"verdicts\":[{\"number\":2,\"confirm\":true}]}\n```")},
			harness.Verdict{Confirmed: []int{2}}, 1, ""},
		{"numbers that nobody put are passed on", []studenttest.Reply{studenttest.Say(`{"verdicts":[{"number":-7,"confirm":true},{"number":99,"confirm":false}]}`)},
			harness.Verdict{Confirmed: []int{-7}, Discarded: []int{99}}, 1, ""},
		{"unreadable, asked again", []studenttest.Reply{studenttest.Say("I confirm number one."), studenttest.Say(`{"verdicts":[{"number":1,"confirm":true}]}`)},
			harness.Verdict{Confirmed: []int{1}}, 2, ""},
		{"another form, asked again", []studenttest.Reply{studenttest.Say(`{"verdicts":[{"number":1,"confirm":true,"calls":[]}]}`), studenttest.Say(`{"verdicts":[]}`)},
			harness.Verdict{}, 2, ""},
		{"cut off with stop", []studenttest.Reply{studenttest.Say(`{"verdicts":[{"number":1,"con`)}, harness.Verdict{}, 2, student.Protocol},
		{"a number no machine holds", []studenttest.Reply{studenttest.Say(`{"verdicts":[{"number":1e1000001,"confirm":true}]}`)}, harness.Verdict{}, 2, student.Protocol},
		{"the server fails", []studenttest.Reply{{Status: 500, Body: []byte(`{"error":{"message":"no memory"}}`), ContentType: "application/json"}}, harness.Verdict{}, 1, student.Server},
		{"the connection breaks", []studenttest.Reply{{Text: strings.Repeat("x", 9000), Cut: true}}, harness.Verdict{}, 1, student.Incomplete},
	} {
		for _, name := range []string{"ollama", "openai"} {
			t.Run(c.name+" "+name, func(t *testing.T) {
				s := studenttest.NewServer(c.replies...)
				defer s.Close()
				got, err := NewCritic(models(t, s)[name]).Judge(t.Context(), aCase("first", "second"))
				if student.KindOf(err) != c.err {
					t.Fatalf("error %v, want kind %q", err, c.err)
				}
				if n := len(s.Requests()); n != c.calls || got.Usage.ModelCalls != c.calls {
					t.Errorf("%d requests, %d counted, want %d", n, got.Usage.ModelCalls, c.calls)
				}
				if d := cmp.Diff(c.want, got, cmpopts.IgnoreFields(harness.Verdict{}, "Usage")); err == nil && d != "" {
					t.Errorf("verdict (-want +got):\n%s", d)
				}
			})
		}
	}
}

// The server is asked to bind the answer to the form, and the critic sees the
// policy, the tools with their arguments, the conversation, the draft and the
// remarks.
func TestCriticRequest(t *testing.T) {
	s := studenttest.NewServer(studenttest.Say(`{"verdicts":[]}`))
	defer s.Close()
	for name, m := range models(t, s) {
		if _, err := NewCritic(m).Judge(t.Context(), aCase("first", "second")); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r := s.Requests()
		var body map[string]any
		if err := json.Unmarshal(r[len(r)-1].Body, &body); err != nil {
			t.Fatal(err)
		}
		form, _ := json.Marshal(body["format"])
		if name == "openai" {
			form, _ = json.Marshal(body["response_format"])
		}
		for _, part := range []string{`"verdicts"`, `"maximum":2`, `"maxItems":2`, `"additionalProperties":false`} {
			if !strings.Contains(string(form), part) {
				t.Errorf("%s: the form %s lacks %s", name, form, part)
			}
		}
		text := string(r[len(r)-1].Body)
		for _, part := range []string{"Be gentle.", "set_fan", `Arguments: {\"`, "driver: turn the fan on", `calls set_fan{\"on\":true}`, "says I will.", `\n1. first\n2. second`} {
			if !strings.Contains(strings.ReplaceAll(text, `\\\"`, `\"`), part) {
				t.Errorf("%s: the question lacks %s: %s", name, part, text)
			}
		}
	}
}

// fakeModel answers with texts in order and notes what it was asked.
type fakeModel struct {
	answers []string
	asked   []prompt.Question
}

func (*fakeModel) Name() string { return "fake" }

func (m *fakeModel) Answer(_ context.Context, q prompt.Question) (string, harness.Usage, error) {
	m.asked = append(m.asked, q)
	if len(m.answers) == 0 {
		return "", harness.Usage{}, errors.New("nothing left")
	}
	a := m.answers[0]
	m.answers = m.answers[1:]
	return a, harness.Usage{ModelCalls: 1}, nil
}

func TestExtractor(t *testing.T) {
	m := &fakeModel{answers: []string{`{"asks":["open the left door"],"withdrawn":[2]}`}}
	got, err := NewExtractor(m).Extract(t.Context(), &harness.Utterance{Text: "open the left door, forget the lamp", Asked: "What else?", Open: []string{"set the fan", "set the lamp"}})
	if err != nil || !slices.Equal(got.Asks, []string{"open the left door"}) || !slices.Equal(got.Withdrawn, []int{2}) || got.Usage.ModelCalls != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, part := range []string{"Open request 2: set the lamp", "What else?", "open the left door, forget the lamp"} {
		if !strings.Contains(m.asked[0].Text, part) {
			t.Errorf("the question lacks %q: %s", part, m.asked[0].Text)
		}
	}
}

func TestDriver(t *testing.T) {
	talk := []harness.Message{{Role: harness.User, Text: "Hello."}, {Role: harness.Assistant, Calls: []vehicle.Call{{Tool: "get_secret"}}},
		{Role: harness.ToolRole, Result: &vehicle.Result{Tool: "get_secret"}}, {Role: harness.Assistant, Text: "Good day."}}
	for _, c := range []struct {
		answers []string
		say     string
		end     bool
		err     student.Kind
	}{
		{[]string{`{"say":" Open the roof. ","end":false}`}, "Open the roof.", false, ""},
		{[]string{`{"say":"","end":true}`}, "", true, ""},
		{[]string{`{"say":" ","end":false}`}, "", false, student.Empty},
		{[]string{"no", "no"}, "", false, student.Protocol},
	} {
		m := &fakeModel{answers: c.answers}
		say, end, _, err := NewDriver(m).Say(t.Context(), Part{Persona: "You are kind.", Instruction: "You want air."}, talk)
		if say != c.say || end != c.end || student.KindOf(err) != c.err {
			t.Errorf("%v: %q, end %v, %v", c.answers, say, end, err)
		}
		if q := m.asked[0].Text; strings.Contains(q, "get_secret") || !strings.Contains(q, "assistant: Good day.") || !strings.Contains(q, "You want air.") {
			t.Errorf("the question: %s", q)
		}
	}
}

// A long conversation, many tools and long texts stay within bounds.
func TestBounds(t *testing.T) {
	c := aCase(strings.Repeat("remark ", 1000))
	c.Prompt.Policy = strings.Repeat("policy ", 10000)
	for range 500 {
		c.Prompt.Messages = append(c.Prompt.Messages, harness.Message{Role: harness.User, Text: strings.Repeat("word ", 2000)})
	}
	if n := len(caseText(c)); n > maxPolicy+maxSignatures+(maxEntries+4)*(maxEntry+40)+8000 {
		t.Errorf("%d bytes", n)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"verdicts":[{"number":1,"confirm":true}]}`, "```json\n{}\n```", `{"verdicts":[{"number":1e1000001}]}`, `{{{{`, `{"a":{"verdicts":[]}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := read[verdicts](s); err != nil && len(v.Verdicts) > 0 {
			t.Error("an unreadable answer has verdicts")
		}
	})
}
