// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"flag"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

var update = flag.Bool("update", false, "write the golden files anew")

// car is the catalog of testdata/car.
func car(tb testing.TB) *vehicle.Catalog {
	tb.Helper()
	p, err := vehicle.Load(os.DirFS("testdata/car"), "profile.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	return vehicle.NewCatalog(p)
}

// bundle is a bundle of two languages with one rule file and one test file.
func bundle(rulesYAML, testYAML string) fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	fs := fstest.MapFS{
		"b/manifest.yaml":   file("name: test\nrevision: 1\nlanguages: [en, de]\n"),
		"b/policy.md":       file("Windows are closed before cooling.\n"),
		"b/lexicon/en.yaml": file("words:\n  rain: [rain, wet]\n  toll: [toll, toll road]\n  driver: [\"driver's window\"]\n  only_here: [here]\n"),
		"b/lexicon/de.yaml": file("words:\n  rain: [Regen]\n  toll: [Maut]\n  driver: [Fahrerfenster]\n"),
		"b/rules/a.yaml":    file(rulesYAML),
	}
	if testYAML != "" {
		fs["b/rules/a_test.yaml"] = file(testYAML)
	}
	return fs
}

// load loads rules that are written as a list, without the file around them.
func load(tb testing.TB, cat *vehicle.Catalog, list string) *rules.Set {
	tb.Helper()
	set, err := rules.Load(bundle("rules:\n"+strings.TrimLeft(list, "\n"), ""), "b", cat)
	if err != nil {
		tb.Fatal(err)
	}
	return set
}
