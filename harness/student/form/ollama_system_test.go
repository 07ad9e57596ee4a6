// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package form_test

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/carguardd/carguardd/cross/ollama/ollamatest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/form"
	"github.com/carguardd/carguardd/harness/student/ollama"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// A real Ollama server turns the schema of every form into a grammar and goes
// on answering, and what a model writes under it is read, whatever it is.
func TestSystemForms(t *testing.T) {
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	cat := vehicle.NewCatalog(p)
	bundle := fstest.MapFS{"b/manifest.yaml": {Data: []byte("name: b\nrevision: 1\nlanguages: [en]\n")}, "b/policy.md": {Data: []byte("Close the windows.\n")}}
	var forms []*harness.Prompt
	for i, kind := range rules.Types() {
		a := &author{kind: kind}
		if _, err := compile.Compile(t.Context(), compile.Options{Model: form.Model{Student: a}, Catalog: cat, Bundle: bundle, Dir: "b"}); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			a.asked = a.asked[1:] // the first form is the same for all
		}
		forms = append(forms, a.asked...)
	}
	srv := ollamatest.Start(t, forms[0].Tools, "Close the windows.")
	answers, calls := 0, 0
	for _, q := range forms {
		q.Policy = "x" // the model reads it letter by letter, and understands nothing
		for seed := range 4 {
			s, err := ollama.New(ollama.Options{URL: srv.URL, Model: ollamatest.Model, Seed: &seed, Constrained: true, NumCtx: 16384, NumPredict: 400, Timeout: 3 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			d, err := s.Draft(t.Context(), q)
			if student.Down(err) {
				t.Fatalf("%s of %q, seed %d: %v", q.Tools.Tools[0].Name, q.Messages[0].Text, seed, err)
			}
			if err == nil {
				answers++
			}
			for _, c := range d.Calls {
				calls++
				compile.ReadProposal(c.Args)
				compile.ReadSplit(c.Args, 1, cat)
			}
		}
	}
	t.Logf("%d forms, %d answers to the end, %d filled in", len(forms), answers, calls)
	if answers == 0 {
		t.Error("no answer came through")
	}
}
