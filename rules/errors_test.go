// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/carguardd/carguardd/rules"
)

// TestErrors loads one mistake after the other. testdata/errors.txtar holds
// each as NAME.yaml (a rule file) or NAME_test.yaml (a test file beside one
// good rule), and what Load says about it as NAME.err.
func TestErrors(t *testing.T) {
	const file = "testdata/errors.txtar"
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cat := car(t)
	out := &txtar.Archive{Comment: ar.Comment}
	want := map[string]string{}
	for _, f := range ar.Files {
		if name, ok := strings.CutSuffix(f.Name, ".err"); ok {
			want[name] = string(f.Data)
		}
	}
	for _, f := range ar.Files {
		name, ok := strings.CutSuffix(f.Name, ".yaml")
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			fs := bundle(string(f.Data), "")
			if strings.HasSuffix(name, "_test") {
				fs = bundle(goodRule, string(f.Data))
			}
			set, err := rules.Load(fs, "b", cat)
			if err == nil {
				t.Fatal("was loaded")
			}
			if set != nil {
				t.Error("a set in spite of an error")
			}
			got := err.Error() + "\n"
			out.Files = append(out.Files, f, txtar.File{Name: name + ".err", Data: []byte(got)})
			if d := cmp.Diff(want[name], got); d != "" && !*update {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const goodRule = `rules:
- id: good
  type: prohibition
  on: [{call: set_ac}]
  if: [{field: air_conditioning, is: true}]
  forbid: {}
`

func TestBrokenBundles(t *testing.T) {
	cat := car(t)
	for _, c := range []struct {
		name, file, data, want string
	}{
		{"no manifest", "manifest.yaml", "", "b/manifest.yaml: read file: file does not exist"},
		{"unknown manifest key", "manifest.yaml", "name: x\nrevison: 1\nlanguages: [en, de]\n", `b/manifest.yaml:2:1: unknown key "revison" (did you mean revision?)`},
		{"revision zero", "manifest.yaml", "name: x\nrevision: 0\nlanguages: [en, de]\n", "b/manifest.yaml:2:11: revision must be a whole number from 1"},
		{"no policy", "policy.md", "", "b/policy.md: read file: file does not exist"},
		{"foreign file", "notes.txt", "x", "b/notes.txt: no part of a bundle (a bundle holds manifest.yaml, policy.md, rules/ and lexicon/)"},
		{"wrong ending", "rules/b.yml", "rules: []", "b/rules/b.yml: no part of rules (its files end in .yaml)"},
		{"unlisted language", "lexicon/fr.yaml", "words: {rain: [pluie]}", "b/lexicon/fr.yaml:1:1: a lexicon of a language that the manifest does not list (add fr to languages in manifest.yaml)"},
		{"lexicon without words", "lexicon/de.yaml", "rain: [Regen]\n", "b/lexicon/de.yaml:1:1: no words in this file (begin with words:)"},
		{"id twice", "rules/b.yaml", goodRule, `b/rules/b.yaml:2:3: rule id "good" is already used at b/rules/a.yaml:2:3`},
		{"no rules", "rules/b.yaml", "rules: []\n", "b/rules/b.yaml:1:8: rules is empty (leave the key out)"},
		{"empty file", "rules/b.yaml", "\n", "b/rules/b.yaml: file is empty"},
		{"no yaml", "rules/b.yaml", "rules: [\n", "b/rules/b.yaml:1:8: "},
		{"alias", "rules/b.yaml", "rules: &x []\n", "b/rules/b.yaml:1:8: anchors, aliases, tags and merge keys are not used here (write the value out)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fs := bundle(goodRule, "")
			fs["b/"+c.file] = bundle(c.data, "")["b/rules/a.yaml"]
			if c.data == "" {
				delete(fs, "b/"+c.file)
			}
			_, err := rules.Load(fs, "b", cat)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// A policy that is no text is refused, with its place.
func TestPolicyIsText(t *testing.T) {
	for text, want := range map[string]string{
		"ok\nab\x01c\n":  "b/policy.md:2:3: no text: the byte 0x01 (a policy is UTF-8, Markdown or plain)",
		"é\xff":          "b/policy.md:1:2: no text: the byte 0xff (a policy is UTF-8, Markdown or plain)",
		"tabs\tand\r\né": "",
	} {
		fs := bundle(goodRule, "")
		fs["b/policy.md"] = &fstest.MapFile{Data: []byte(text)}
		_, err := rules.Load(fs, "b", car(t))
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && got != want {
			t.Errorf("%q: %s, want %q", text, got, want)
		}
	}
}
