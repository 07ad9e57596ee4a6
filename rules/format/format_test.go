// SPDX-License-Identifier: Apache-2.0

package format_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/rules/format"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestLayout(t *testing.T) {
	const path = "testdata/layout.txtar"
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range ar.Files {
		want[f.Name] = string(f.Data)
	}
	out := &txtar.Archive{Comment: ar.Comment}
	for _, f := range ar.Files {
		name, ok := strings.CutSuffix(f.Name, ".in")
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			got := layout(t, "rules/"+name+".yaml", f.Data)
			out.Files = append(out.Files, f, txtar.File{Name: name + ".out", Data: got})
			if d := cmp.Diff(want[name+".out"], string(got)); d != "" && !*update {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// layout lays a file out, and once more: nothing changes the second time.
func layout(t interface {
	Helper()
	Fatalf(string, ...any)
}, name string, data []byte) []byte {
	t.Helper()
	once, err := format.Source(name, data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	twice, err := format.Source(name, once)
	if err != nil {
		t.Fatalf("the second time: %v\n%s", err, once)
	}
	if d := cmp.Diff(string(once), string(twice)); d != "" {
		t.Fatalf("the second time differs (-once +twice)\n%s\nof\n%s", d, data)
	}
	return once
}

// bundleFiles are the YAML files of the bundles of the repository.
func bundleFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(testdata.FS, "bundles", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".yaml") {
			files[path], err = fs.ReadFile(testdata.FS, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	return files
}

// TestBundles: the bundles of the repository are laid out.
func TestBundles(t *testing.T) {
	for name, data := range bundleFiles(t) {
		if d := cmp.Diff(string(data), string(layout(t, name, data))); d != "" {
			t.Errorf("%s is not laid out: carguardd rules fmt -w (-is +should)\n%s", name, d)
		}
	}
}

// TestCommentsStay strews comments and empty lines over the bundles: the
// layout keeps every comment and what the file says, which Source checks, and
// is the same the second time.
func TestCommentsStay(t *testing.T) {
	files := bundleFiles(t)
	var names []string
	for n := range files {
		names = append(names, n)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "file")
		lines := strings.Split(strings.TrimRight(string(files[name]), "\n"), "\n")
		var out []string
		for _, l := range lines {
			switch rapid.IntRange(0, 12).Draw(t, "what") {
			case 0:
				out = append(out, strings.Repeat(" ", rapid.IntRange(0, 6).Draw(t, "indent"))+"# before")
			case 1:
				l += " # behind"
			case 2:
				out = append(out, "")
			case 3: // a list or mapping over several lines
				if j := strings.Index(l, ", {"); j > 0 && !strings.Contains(l, `"`) {
					pad := strings.Repeat(" ", len(l)-len(strings.TrimLeft(l, " "))+4)
					l = l[:j+1] + " # inside\n" + pad + l[j+2:]
				}
			}
			out = append(out, l)
		}
		data := []byte(strings.Join(out, "\n") + "\n")
		if _, ps := vehicle.ParseYAML(name, data); ps == nil {
			layout(t, name, data)
		}
	})
}

func TestNoYAML(t *testing.T) {
	var ps vehicle.Problems
	if _, err := format.Source("rules/a.yaml", []byte("rules: [\n")); !errors.As(err, &ps) || ps[0].Pos.Line != 1 {
		t.Errorf("got %v", err)
	}
	for _, text := range []string{"\x01\x02 what is this", "- a\n- b\n", "12"} {
		if _, err := format.Source("rules/a.yaml", []byte(text)); !errors.As(err, &ps) || !strings.Contains(err.Error(), "no keys with values") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzSource lays arbitrary files out: what is YAML stays what it says.
func FuzzSource(f *testing.F) {
	for _, data := range bundleFiles(f) {
		f.Add(string(data))
	}
	f.Add("a: |\n  text\n# c\nb: [x, # d\n y]\n")
	f.Add("- - - a\n- {b: [c, {}], d: []}\n")
	f.Add("? k\n: v\n'': ''\n")
	f.Fuzz(func(t *testing.T, s string) {
		out, err := format.Source("rules/a.yaml", []byte(s))
		if err != nil {
			return // also where the check of its own output says no
		}
		if again, err := format.Source("rules/a.yaml", out); err == nil && string(again) != string(out) {
			t.Errorf("once\n%s\ntwice\n%s", out, again)
		}
	})
}
