// SPDX-License-Identifier: Apache-2.0

package fields_test

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/cross/goldentest"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/rules/fields"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestWrite(t *testing.T) {
	set, cat := bundletest.Load(t, testdata.FS, testdata.GreenhouseBundle, testdata.Greenhouse)
	l := fields.Of(cat, set)
	var b bytes.Buffer
	if err := l.Write(&b); err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, *update, "testdata/greenhouse.txt", b.Bytes())
}

func TestFilter(t *testing.T) {
	set, cat := bundletest.Load(t, testdata.FS, testdata.GreenhouseBundle, testdata.Greenhouse)
	l, err := fields.Of(cat, set).Filter("vent_*")
	if err != nil || len(l.Signals) != 4 || len(l.Tools) != 0 || len(l.Units) != 0 {
		t.Errorf("%d signals, %d tools, %d units, %v", len(l.Signals), len(l.Tools), len(l.Units), err)
	}
	if _, err := fields.Of(cat, set).Filter("[x"); err == nil {
		t.Error("a broken pattern is no error")
	}
}

// TestEveryNameLoads writes a rule for everything in the list: each loads.
func TestEveryNameLoads(t *testing.T) {
	for _, profile := range []string{testdata.DemoEV, testdata.Greenhouse} {
		p, err := vehicle.Load(testdata.FS, profile)
		if err != nil {
			t.Fatal(err)
		}
		cat := vehicle.NewCatalog(p)
		l := fields.Of(cat, nil)
		var b strings.Builder
		b.WriteString("rules:\n")
		n := 0
		rule := func(on, test string) {
			n++
			fmt.Fprintf(&b, "- {id: r%d, type: prohibition, on: [{call: %s}], if: [{%s, known: true}], forbid: {}}\n", n, on, test)
		}
		write := ""
		for _, tool := range l.Tools {
			if tool.Access == "write" {
				write = tool.Name
			}
			for _, a := range tool.Arguments {
				rule(tool.Name, fmt.Sprintf("arg: %q", a.Name))
			}
			for _, r := range tool.Result {
				rule(tool.Name, fmt.Sprintf("result: %q, of: %s", r.Name, tool.Name))
			}
		}
		for _, s := range l.Signals {
			if s.Readers != nil || s.Live {
				rule(write, "field: "+s.Name)
			}
		}
		for _, c := range l.Context {
			rule(write, "context: "+c.Name)
		}
		for _, tag := range l.Tags {
			rule(fmt.Sprintf("%q", tag.Name), "context: now.hour")
		}
		fs := fstest.MapFS{"b/manifest.yaml": {Data: []byte("name: b\nrevision: 1\nlanguages: [en]\n")}, "b/policy.md": {}, "b/rules/a.yaml": {Data: []byte(b.String())}}
		if _, err := rules.Load(fs, "b", cat); err != nil {
			t.Errorf("%s: of %d rules\n%v", profile, n, err)
		}
	}
}
