// SPDX-License-Identifier: Apache-2.0

package form_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/form"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/harness/student/schema"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// author answers the split form and gives up on every rule.
type author struct {
	kind  rules.Type
	asked []*harness.Prompt
}

func (*author) Name() string { return "author" }

func (a *author) Draft(_ context.Context, p *harness.Prompt) (harness.Draft, error) {
	a.asked = append(a.asked, p)
	if p.Tools.Tool(compile.SplitForm) != nil {
		return call(compile.SplitForm, `{"demands": [{"sentence": 1, "type": "`+string(a.kind)+`", "says": "close windows",
			"tools": ["set_air_conditioning", "open_close_window", "get_vehicle_window_positions", "get_weather"]}]}`), nil
	}
	return call(compile.RuleForm, `{"cannot": "it is only looked at"}`), nil
}

// A form with all that may be named fits into what small models read, and its
// schema is one that servers survive: bounded, with the names still in it.
func TestFormsFit(t *testing.T) {
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	bundle := fstest.MapFS{"b/manifest.yaml": {Data: []byte("name: b\nrevision: 1\nlanguages: [en, de]\n")}, "b/policy.md": {Data: []byte("Close the windows.\n")}}
	const letters = 30_000 // of the 12,288 tokens that the model has to read
	for _, kind := range rules.Types() {
		a := &author{kind: kind}
		if _, err := compile.Compile(t.Context(), compile.Options{Model: form.Model{Student: a}, Catalog: vehicle.NewCatalog(p), Bundle: bundle, Dir: "b"}); err != nil {
			t.Fatal(err)
		}
		for _, q := range a.asked {
			name, size := q.Tools.Tools[0].Name, 0
			for _, m := range prompt.Constrained(q) {
				size += len(m.Text)
			}
			bound := string(schema.Draft(q.Tools).AppendJSON(nil))
			t.Logf("%s of a %s: %d letters, schema %d", name, kind, size, len(bound))
			if size > letters || len(bound) > 1<<14 {
				t.Errorf("%s of a %s: %d letters, a schema of %d", name, kind, size, len(bound))
			}
			if !strings.Contains(bound, `"set_air_conditioning"`) {
				t.Errorf("%s: the schema lost the names of tools", name)
			}
		}
	}
}
