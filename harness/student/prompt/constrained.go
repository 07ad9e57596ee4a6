// SPDX-License-Identifier: Apache-2.0

package prompt

import (
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/schema"
	"github.com/carguardd/carguardd/vehicle"
)

// Constrained returns the prompt as messages of text alone, for a server
// whose answer is constrained by schema.Draft.
func Constrained(p *harness.Prompt) []Message {
	l := Messages(p)
	l[0].Text += "\n\n" + form(p)
	for i := range l {
		m := &l[i]
		switch m.Role {
		case harness.Assistant:
			m.Text, m.Calls = answer(m), nil
		case harness.ToolRole:
			*m = Message{Role: harness.User, Text: "[result of " + m.Tool + "] " + m.Text}
		}
	}
	return l
}

// answer writes an assistant message in the form that is asked for.
func answer(m *Message) string {
	calls := make([]vehicle.Value, len(m.Calls))
	for i, c := range m.Calls {
		calls[i] = vehicle.ObjectOf(vehicle.Field{Name: "tool", Value: vehicle.TextOf(c.Tool)}, vehicle.Field{Name: "args", Value: c.Args})
	}
	v := vehicle.ObjectOf(vehicle.Field{Name: "calls", Value: vehicle.ListOf(calls...)}, vehicle.Field{Name: "say", Value: vehicle.TextOf(m.Text)})
	return string(v.AppendJSON(nil))
}

// form describes the tools and the form of the answer.
func form(p *harness.Prompt) string {
	if p.SpeakOnly || p.Tools == nil || len(p.Tools.Tools) == 0 {
		return `Answer with JSON: {"say": "what to say"}`
	}
	var b strings.Builder
	b.WriteString(`Answer with JSON: {"calls": [{"tool": "name", "args": {}}], "say": "what to say, empty beside calls"}. The tools:`)
	for _, t := range p.Tools.Tools {
		b.WriteString("\n" + Signature(t))
	}
	return b.String()
}

// Signature is a tool in one line: its name, what it does, and its arguments.
func Signature(t *vehicle.Tool) string {
	var b strings.Builder
	b.WriteString("- " + t.Name)
	if t.Description != "" {
		b.WriteString(": " + strings.Join(strings.Fields(t.Description), " "))
	}
	if t.Input != nil && len(t.Input.Properties) > 0 {
		if props, ok := schema.Describe(t.Input.Raw).Member("properties"); ok {
			b.WriteString(" Arguments: ")
			b.Write(props.AppendJSON(nil))
		}
	}
	return b.String()
}
