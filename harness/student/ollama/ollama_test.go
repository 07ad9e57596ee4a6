// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"strings"
	"testing"

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

func TestNewRefuses(t *testing.T) {
	for _, o := range []Options{{}, {Model: "m", URL: "127.0.0.1:11434"}, {Model: "m", URL: "ftp://x"}, {Model: "m", URL: "http://x/?a=b"}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
