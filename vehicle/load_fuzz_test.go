// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/carguardd/carguardd/vehicle"
)

// FuzzLoad: a profile loads, or every problem has a place and a text.
func FuzzLoad(f *testing.F) {
	files, _ := filepath.Glob("testdata/load/*.txtar")
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range ar.Files {
			if strings.HasSuffix(c.Name, ".yaml") {
				f.Add(whole(string(c.Data)))
			}
		}
	}
	for _, name := range []string{"demo-ev", "greenhouse"} {
		data, err := os.ReadFile("../testdata/profiles/" + name + "/profile.yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := load(t, text)
		var ps vehicle.Problems
		switch {
		case err == nil && p == nil:
			t.Fatal("neither a profile nor an error")
		case err == nil:
			vehicle.NewCatalog(p)
		case !errors.As(err, &ps) || p != nil:
			t.Fatalf("%T: %v", err, err)
		}
		for _, x := range ps {
			if x.Text == "" || x.Pos.File == "" {
				t.Errorf("a problem without text or place: %+v", x)
			}
		}
	})
}

// FuzzLoadTools: a foreign list is read or refused, and can be offered.
func FuzzLoadTools(f *testing.F) {
	f.Add(`[{"name": "get_x", "description": "d", "inputSchema": {"type": "object", "properties": {"a": {"enum": ["A"]}}}}]`)
	f.Add(`{"tools": [{"type": "function", "function": {"name": "lamp", "parameters": {"type": "object"}}}]}`)
	f.Add(`[{"name": "x", "annotations": {"readOnlyHint": true}, "outputSchema": {"properties": {"lamp": true}}}]`)
	p, err := load(f, whole(""))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tools, err := vehicle.LoadTools("list", []byte(text))
		if err == nil {
			p.Offer(tools)
		}
	})
}
