// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package counsel

import (
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/ollama/ollamatest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/ollama"
)

// questions is how often a real server is asked for each form.
const questions = 30

// A real server with a model that says anything is bound to the forms: nearly
// every answer has the form that was asked for, numbers are those that were
// put, and what fails has a kind.
func TestSystemForms(t *testing.T) {
	in := aCase("first", "second", "third")
	srv := ollamatest.Start(t, in.Prompt.Tools)
	u := &harness.Utterance{Text: "open the left door and forget the lamp", Language: "en", Open: []string{"set the lamp"}}
	forms := map[string]func(m Model) (valid bool, err error){
		"verdicts": func(m Model) (bool, error) {
			v, err := NewCritic(m).Judge(t.Context(), in)
			ok := true
			for _, n := range append(v.Confirmed, v.Discarded...) {
				ok = ok && n >= 1 && n <= 3
			}
			return ok, err
		},
		"asks": func(m Model) (bool, error) {
			x, err := NewExtractor(m).Extract(t.Context(), u)
			ok := len(x.Asks) <= maxAsks
			for _, n := range x.Withdrawn {
				ok = ok && n == 1
			}
			return ok, err
		},
		"driver": func(m Model) (bool, error) {
			_, _, _, err := NewDriver(m).Say(t.Context(), Part{Persona: "You are kind.", Instruction: "You want air."}, nil)
			return true, err
		},
	}
	for name, ask := range forms {
		t.Run(name, func(t *testing.T) {
			got, odd := 0, 0
			kinds := map[student.Kind]int{}
			for seed := range questions {
				m, err := ollama.New(ollama.Options{URL: srv.URL, Model: ollamatest.Model, Seed: &seed, NumPredict: 1024, Timeout: 30 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				ok, err := ask(m)
				switch {
				case err != nil && student.KindOf(err) == "":
					t.Fatalf("seed %d: an error without a kind: %v", seed, err)
				case err != nil:
					kinds[student.KindOf(err)]++
				case ok:
					got++
				default:
					odd++
				}
			}
			t.Logf("%d of %d in form, %d out of bounds, failures %v", got, questions, odd, kinds)
			if 2*got < questions {
				t.Errorf("only %d of %d answers have the form", got, questions)
			}
		})
	}
}
