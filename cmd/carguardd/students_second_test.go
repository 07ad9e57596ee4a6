// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"testing"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/faulty"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

// Who is asked besides the student is what the configuration says, and nobody
// where there is no model.
func TestConfiguredSecond(t *testing.T) {
	ollama := config.Student{Kind: config.Ollama, Ollama: config.OllamaStudent{URL: "http://127.0.0.1:9", Model: "m"}}
	for _, tc := range []struct {
		name                     string
		c                        config.Config
		critic, asks, escalation string
	}{
		{"the default with a model", config.Config{Student: ollama, Critic: true, Asks: config.AsksBySentences, Escalation: config.Student{Kind: config.None}}, "ollama m", "", ""},
		{"all of them", config.Config{Student: ollama, Critic: true, Asks: config.AsksByModel,
			Escalation: config.Student{Kind: config.OpenAI, OpenAI: config.OpenAIStudent{BaseURL: "http://127.0.0.1:9/v1", Model: "large"}}}, "ollama m", "ollama m", "openai large"},
		{"none of them", config.Config{Student: ollama, Escalation: config.Student{Kind: config.None}}, "", "", ""},
		{"no model", config.Config{Student: config.Student{Kind: config.Offline}, Critic: true, Escalation: config.Student{Kind: config.None}}, "", "", ""},
		{"a model that is looked for", config.Config{Student: config.Student{Kind: config.Ollama}, Critic: true, Escalation: config.Student{Kind: config.None}}, "ollama", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			st := harness.Student(faulty.Script())
			if tc.c.Student.Kind != config.Offline {
				m, err := configuredModel(&tc.c, &tc.c.Student)
				if err != nil {
					t.Fatal(err)
				}
				st = student.NewFallback(m, st, vehicle.NewSystemClock(), student.FallbackOptions{})
			}
			got, err := configuredSecond(&tc.c, st)
			if err != nil {
				t.Fatal(err)
			}
			name := func(n interface{ Name() string }, ok bool) string {
				if !ok {
					return ""
				}
				return n.Name()
			}
			for what, l := range map[string][2]string{"critic": {name(got.Critic, got.Critic != nil), tc.critic},
				"asks": {name(got.Extractor, got.Extractor != nil), tc.asks}, "escalation": {name(got.Escalation, got.Escalation != nil), tc.escalation}} {
				if l[0] != l[1] {
					t.Errorf("%s by %q, want %q", what, l[0], l[1])
				}
			}
		})
	}
}

// A critic whose server is known to be gone is not waited for.
func TestCriticIsNotAskedWhileTheModelIsDown(t *testing.T) {
	s := studenttest.NewServer(studenttest.Fail(500, "no memory"), studenttest.Say(`{"verdicts":[]}`))
	defer s.Close()
	c := config.Config{Student: config.Student{Kind: config.Ollama, Ollama: config.OllamaStudent{URL: s.URL, Model: "fake:latest"}}, Critic: true, Escalation: config.Student{Kind: config.None}}
	m, err := configuredModel(&c, &c.Student)
	if err != nil {
		t.Fatal(err)
	}
	f := student.NewFallback(m, faulty.Script(faulty.Say("Hello.")), vehicle.NewSystemClock(), student.FallbackOptions{})
	second, err := configuredSecond(&c, f)
	if err != nil {
		t.Fatal(err)
	}
	in := &harness.Case{Prompt: studenttest.Prompt("hello"), Advisories: []string{"one"}}
	if d, err := f.Draft(t.Context(), in.Prompt); err != nil || d.Text != "Hello." || f.Down() == nil {
		t.Fatalf("draft %+v, %v; down %v", d, err, f.Down())
	}
	if _, err := second.Critic.Judge(t.Context(), in); !errors.Is(err, student.Server) || len(s.Requests()) != 1 {
		t.Errorf("error %v after %d requests", err, len(s.Requests()))
	}
}
