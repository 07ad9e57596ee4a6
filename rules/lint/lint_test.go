// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/rules/lint"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

var update = flag.Bool("update", false, "write the golden files anew")

// car is the car of package rules, with some of its declarations deprecated.
func car(t *testing.T) *vehicle.Catalog {
	t.Helper()
	raw, err := os.ReadFile("../testdata/car/profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range [][2]string{
		{"range: {unit: km", `range: {description: "deprecated: read the waypoints", unit: km`},
		{"tells the locks", "deprecated, there are no locks any more"},
		{"urgent: {type: boolean, ", "urgent: {type: boolean, deprecated: true, "},
	} {
		if !bytes.Contains(raw, []byte(r[0])) {
			t.Fatalf("the profile has no %q", r[0])
		}
		raw = bytes.Replace(raw, []byte(r[0]), []byte(r[1]), 1)
	}
	p, err := vehicle.Load(fstest.MapFS{"profile.yaml": {Data: raw}}, "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return vehicle.NewCatalog(p)
}

// bundle makes a bundle of the files NAME.yaml, NAME_test.yaml, NAME.en and
// NAME.de of an archive; all but the first may be missing.
func bundle(ar *txtar.Archive, name string) fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	fs := fstest.MapFS{
		"b/manifest.yaml":   file("name: b\nrevision: 1\nlanguages: [en, de]\n"),
		"b/policy.md":       file("Windows are closed before cooling.\n"),
		"b/lexicon/en.yaml": file("words: {rain: [rain]}\n"),
		"b/lexicon/de.yaml": file("words: {rain: [Regen]}\n"),
	}
	for _, f := range ar.Files {
		switch f.Name {
		case name + ".yaml":
			fs["b/rules/a.yaml"] = file(string(f.Data))
		case name + "_test.yaml":
			fs["b/rules/a_test.yaml"] = file(string(f.Data))
		case name + ".en", name + ".de":
			fs["b/lexicon/"+f.Name[len(name)+1:]+".yaml"] = file(string(f.Data))
		}
	}
	return fs
}

// TestAnalyzers plays testdata/ANALYZER.txtar: for each NAME.yaml the findings
// of that analyzer are those of NAME.want. Every analyzer has a case that it
// reports and one that it does not.
func TestAnalyzers(t *testing.T) {
	cat := car(t)
	for _, a := range lint.Analyzers() {
		t.Run(a.Name, func(t *testing.T) {
			path := filepath.Join("testdata", a.Name+".txtar")
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if a.Doc == "" || a.Help == "" || a.Level != lint.Error && a.Level != lint.Warning {
				t.Error("doc, help or level is missing")
			}
			want := map[string]string{}
			for _, f := range ar.Files {
				if name, ok := strings.CutSuffix(f.Name, ".want"); ok {
					want[name] = string(f.Data)
				}
			}
			out := &txtar.Archive{Comment: ar.Comment}
			found, clean := 0, 0
			for _, f := range ar.Files {
				name, ok := strings.CutSuffix(f.Name, ".yaml")
				if strings.HasSuffix(f.Name, ".want") {
					continue
				}
				out.Files = append(out.Files, f)
				if !ok || strings.HasSuffix(name, "_test") {
					continue
				}
				set, err := rules.Load(bundle(ar, name), "b", cat)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				var got string
				for _, x := range lint.Run(set, cat, []*lint.Analyzer{a}) {
					got += x.String() + "\n"
				}
				if got == "" {
					clean++
				} else {
					found++
				}
				out.Files = append(out.Files, txtar.File{Name: name + ".want", Data: []byte(got)})
				if d := cmp.Diff(want[name], got); d != "" && !*update {
					t.Errorf("%s (-want +got)\n%s", name, d)
				}
			}
			if found == 0 || clean == 0 {
				t.Errorf("%d cases with findings, %d without", found, clean)
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestBundles: the bundles of the repository are clean.
func TestBundles(t *testing.T) {
	for bundle, profile := range map[string]string{testdata.InCarBundle: testdata.DemoEV, testdata.GreenhouseBundle: testdata.Greenhouse} {
		set, cat := bundletest.Load(t, testdata.FS, bundle, profile)
		for _, f := range lint.Run(set, cat, lint.Analyzers()) {
			t.Error(f)
		}
	}
}

// TestDocs: docs/rules.md names every check.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range lint.Analyzers() {
		if !bytes.Contains(text, []byte("| `"+a.Name+"` | "+string(a.Level)+" |")) {
			t.Errorf("docs/rules.md has no row for %s", a.Name)
		}
	}
}
