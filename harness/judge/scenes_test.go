// SPDX-License-Identifier: Apache-2.0

package judge_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/carguardd/carguardd/harness/judge"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// The scenes that the plain judge plays hold in the harness too.
func TestScenes(t *testing.T) {
	p, err := vehicle.Load(os.DirFS("../../rules/testdata/car"), "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cat := vehicle.NewCatalog(p)
	ar, err := txtar.ParseFile("../../rules/rulestest/testdata/scenes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(ar.Files); i += 2 {
		t.Run(strings.TrimSuffix(ar.Files[i].Name, ".yaml"), func(t *testing.T) {
			set, err := rules.Load(fstest.MapFS{
				"b/manifest.yaml":     {Data: []byte("name: b\nrevision: 1\nlanguages: [en]\n")},
				"b/policy.md":         {},
				"b/lexicon/en.yaml":   {Data: []byte("words: {rain: [rain, wet], toll: [toll]}\n")},
				"b/rules/a.yaml":      {Data: ar.Files[i].Data},
				"b/rules/a_test.yaml": {Data: ar.Files[i+1].Data},
			}, "b", cat)
			if err != nil {
				t.Fatal(err)
			}
			if err := rulestest.Run(set, cat, judge.Judge{}).Err(); err != nil {
				t.Error(err)
			}
		})
	}
}
