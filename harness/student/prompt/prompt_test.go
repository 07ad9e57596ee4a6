// SPDX-License-Identifier: Apache-2.0

package prompt

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

func call(id string) vehicle.Call {
	return vehicle.Call{ID: id, Tool: "get_state", Args: vehicle.ObjectOf()}
}

func result(id string) harness.Message {
	return harness.Message{Role: harness.ToolRole, Result: &vehicle.Result{CallID: id, Tool: "get_state", Status: vehicle.Done, Value: vehicle.MustJSON(`{"heat":1}`)}}
}

func said(calls ...vehicle.Call) harness.Message {
	return harness.Message{Role: harness.Assistant, Calls: calls}
}

// outline writes the roles and identifiers of messages.
func outline(l []Message) string {
	var b strings.Builder
	for _, m := range l {
		b.WriteString(string(m.Role[0]))
		for _, c := range m.Calls {
			b.WriteString("+" + c.ID)
		}
		if m.CallID != "" {
			b.WriteString("=" + m.CallID)
			if strings.Contains(m.Text, "not carried out") {
				b.WriteString("!")
			}
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func TestMessages(t *testing.T) {
	user := harness.Message{Role: harness.User, Text: "hello"}
	for _, c := range []struct {
		name     string
		messages []harness.Message
		rejected []harness.Draft
		want     string
	}{
		{"first", []harness.Message{user}, nil, "s u"},
		{"call and result", []harness.Message{user, said(call("a")), result("a")}, nil, "s u a+a t=a"},
		{"two calls, results in any order", []harness.Message{user, said(call("a"), call("b")), result("b"), result("a")}, nil, "s u a+a+b t=b t=a"},
		{"a call that was withheld", []harness.Message{user, said(call("a"), call("b")), result("b"), {Role: harness.Assistant, Text: "No."}}, nil, "s u a+a+b t=b t=a! a"},
		{"a result without a call", []harness.Message{user, result("p")}, nil, "s u a+p t=p"},
		{"two results without calls", []harness.Message{user, result("p"), result("q")}, nil, "s u a+p t=p a+q t=q"},
		{"a result that comes twice", []harness.Message{user, said(call("a")), result("a"), result("a")}, nil, "s u a+a t=a a+a t=a"},
		{"rejected", []harness.Message{user}, []harness.Draft{{Calls: []vehicle.Call{call("x")}}, {Text: "Done."}}, "s u a+x t=x! a u"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &harness.Prompt{Messages: c.messages, Rejected: c.rejected}
			if c.rejected != nil {
				p.Findings = "no"
			}
			if got := outline(Messages(p)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// Whatever the history looks like, each call has one result right behind it,
// and each result its call.
func TestMessagesPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &harness.Prompt{}
		id := rapid.SampledFrom([]string{"a", "b", "c"})
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				p.Messages = append(p.Messages, harness.Message{Role: harness.User, Text: "x"})
			case 1:
				p.Messages = append(p.Messages, result(id.Draw(t, "id")))
			case 2:
				p.Messages = append(p.Messages, harness.Message{Role: harness.Assistant, Text: "y"})
			default:
				var calls []vehicle.Call
				for _, n := range rapid.SliceOfNDistinct(id, 1, 3, rapid.ID[string]).Draw(t, "ids") {
					calls = append(calls, call(n))
				}
				p.Messages = append(p.Messages, said(calls...))
			}
		}
		open := map[string]bool{}
		for i, m := range Messages(p) {
			if m.Role != harness.ToolRole && len(open) > 0 {
				t.Fatalf("message %d comes before the results of %v", i, open)
			}
			if m.Role == harness.ToolRole && !open[m.CallID] {
				t.Fatalf("message %d answers %s, which is not open", i, m.CallID)
			}
			delete(open, m.CallID)
			for _, c := range m.Calls {
				open[c.ID] = true
			}
		}
		if len(open) > 0 {
			t.Fatalf("no results of %v", open)
		}
	})
}

func TestSystemMessage(t *testing.T) {
	p := studenttest.Prompt("x")
	for lang, want := range map[string]string{"de-AT": "in German.", "en": "in English.", "sv": "in the language sv.", "": "the language of the user."} {
		p.Language = lang
		if got := Messages(p)[0].Text; !strings.Contains(got, want) || !strings.Contains(got, p.Policy) {
			t.Errorf("%s: %s", lang, got)
		}
	}
	if p.SpeakOnly = true; !strings.Contains(Messages(p)[0].Text, speakOnly[:9]) {
		t.Error("speech alone is not asked for")
	}
}

func TestResults(t *testing.T) {
	long := vehicle.Result{CallID: "a", Tool: "t", Status: vehicle.Done, Value: vehicle.TextOf(strings.Repeat("é", maxResult))}
	failed := vehicle.Result{CallID: "a", Tool: "t", Status: vehicle.Failed, Reason: "no power"}
	for _, r := range []*vehicle.Result{&long, &failed} {
		text := resultText(r)
		if !json.Valid([]byte(text)) || len(text) > maxResult+100 {
			t.Errorf("%d bytes, %.60s", len(text), text)
		}
	}
	if got := resultText(&failed); got != `{"status":"failed","reason":"no power"}` {
		t.Error(got)
	}
}

// Text alone goes out for a constrained answer, in the form of the answer.
func TestConstrained(t *testing.T) {
	p := studenttest.Prompt("hello")
	p.Messages = append(p.Messages, said(vehicle.Call{ID: "a", Tool: "set_heat", Raw: "{oops"}), result("a"))
	l := Constrained(p)
	for _, m := range l {
		if m.Role == harness.ToolRole || len(m.Calls) > 0 {
			t.Errorf("message %+v", m)
		}
	}
	if !json.Valid([]byte(l[2].Text)) || !strings.Contains(l[2].Text, `"tool":"set_heat"`) {
		t.Errorf("a call is written as %s", l[2].Text)
	}
	for _, want := range []string{"set_heat", "0 to 9", "program_id"} {
		if !strings.Contains(l[0].Text, want) {
			t.Errorf("the tools are described without %q", want)
		}
	}
}

func TestFit(t *testing.T) {
	p := &harness.Prompt{Policy: "policy"}
	for _, w := range []string{"1", "2", "3", "4", "5"} {
		p.Messages = append(p.Messages, harness.Message{Role: harness.User, Text: w}, said(call(w)), result(w))
	}
	p.Rejected, p.Findings = []harness.Draft{{Text: "Done."}}, "no"
	for name, messages := range map[string][]Message{"tools": Messages(p), "constrained": Constrained(p)} {
		var sizes []int
		d, err := Fit(messages, func(l []Message) (harness.Draft, error) {
			sizes = append(sizes, len(l))
			if l[0].Role != harness.System || l[1].Role != harness.User || !l[1].turn {
				t.Errorf("%s: begins with %s", name, outline(l))
			}
			last := l[len(l)-1]
			if !strings.Contains(last.Text, "no") {
				t.Errorf("%s: the findings are lost", name)
			}
			return harness.Draft{}, ErrTooLong
		})
		if !errors.Is(err, ErrTooLong) || d.Usage.ModelCalls != len(sizes) || len(sizes) != 3 {
			t.Errorf("%s: %v after %v", name, err, sizes)
		}
	}
}
