// SPDX-License-Identifier: Apache-2.0

package config

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/carguardd/carguardd/cross/goldentest"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

var update = flag.Bool("update", false, "write the golden files anew")

const root = "../../.."

var same = cmp.Options{cmpopts.IgnoreUnexported(Config{})}

// example is the complete example of docs/config.md: its first yaml block.
func example(t *testing.T) (doc, block string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "docs/config.md"))
	if err != nil {
		t.Fatal(err)
	}
	doc = string(data)
	_, block, ok := strings.Cut(doc, "```yaml\n")
	block, _, ok2 := strings.Cut(block, "```\n")
	if !ok || !ok2 {
		t.Fatal("docs/config.md has no yaml block")
	}
	return doc, block
}

func parse(t *testing.T, text string) *Config {
	t.Helper()
	c, err := Parse("/etc/carguardd/carguardd.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\nin:\n%s", err, text)
	}
	return c
}

func marshal(t *testing.T, c *Config) string {
	t.Helper()
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Every key is explained in the manual, and its example has every key.
func TestKeysAreDocumented(t *testing.T) {
	doc, block := example(t)
	c := parse(t, block)
	for _, key := range Keys() {
		if !strings.Contains(doc, "| `"+key+"` |") {
			t.Errorf("docs/config.md has no row for %s", key)
		}
		_, set := c.pos[key]
		other := strings.HasPrefix(key, "student.openai") || strings.HasPrefix(key, "escalation.ollama") // of two that exclude each other
		if !set && !other && !strings.HasSuffix(key, ".NAME") {
			t.Errorf("the example of docs/config.md leaves out %s", key)
		}
	}
	if d := cmp.Diff(Default(), c, same); d == "" || !cmp.Equal(c, parse(t, marshal(t, c)), same) {
		t.Errorf("the example does not survive being written: %s", cmp.Diff(c, parse(t, marshal(t, c)), same))
	}
}

// Each key is read, written and read again, and is not the default.
func TestEachKeyRoundTrips(t *testing.T) {
	_, block := example(t)
	openai := `student: {openai: {base_url: "https://llm.example/v1", model: m, key_credential: k, timeout: 3s, constrained: true}}`
	start, rest, _ := strings.Cut(block, "student:")
	_, end, _ := strings.Cut(rest, "harness:")
	others := start + openai + "\nharness:" + end
	for _, text := range []string{block, others} {
		n, ps := vehicle.ParseYAML("full", []byte(text))
		if ps.Err() != nil {
			t.Fatal(ps)
		}
		c := parse(t, marshal(t, parse(t, text)))
		full, err := vehicle.ParseJSON([]byte(marshal(t, c)))
		if err != nil {
			t.Fatal(err)
		}
		for path := range leaves("", n) {
			_, want := leaf(n.Value(), path)
			if !want.Known() {
				t.Fatalf("%s is nowhere", path)
			}
			_, got := leaf(full, path)
			if d := cmp.Diff(spelled(want), spelled(got)); d != "" {
				t.Errorf("%s (-file +after):\n%s", path, d)
			}
			if _, def := leaf(defaults(t), path); def.Equal(want) {
				t.Errorf("%s: the example says what is the default anyway", path)
			}
		}
	}
}

// spelled is a value in the spelling that is written: 90s is 1m30s.
func spelled(v vehicle.Value) string {
	if d, err := time.ParseDuration(v.String()); err == nil {
		return d.String()
	}
	return v.String()
}

func defaults(t *testing.T) vehicle.Value {
	v, err := vehicle.ParseJSON([]byte(marshal(t, Default())))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// leaves are the paths of everything that has no keys of its own.
func leaves(path string, n *vehicle.Node) map[string]bool {
	out := map[string]bool{}
	if n.Kind != vehicle.Object {
		out[path] = true
		return out
	}
	for _, m := range n.Members {
		for p := range leaves(join(path, m.Name), m.Value) {
			out[p] = true
		}
	}
	return out
}

func leaf(v vehicle.Value, path string) (bool, vehicle.Value) {
	for _, key := range strings.Split(path, ".") {
		m, ok := v.Member(key)
		if !ok {
			return false, vehicle.Value{}
		}
		v = m
	}
	return true, v
}

func TestDemo(t *testing.T) {
	c, err := Load(filepath.Join(root, "testdata/config/demo.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := vehicle.Load(c.Vehicle.Profile.File())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(p); err != nil {
		t.Error(err)
	}
	if want := filepath.Join(root, "testdata/config/state"); c.Store.Dir != want {
		t.Errorf("store in %s, want %s: relative to the file", c.Store.Dir, want)
	}
	if c.Student.Kind != Ollama || c.Student.Ollama.Model != "llama3.2" || c.Student.Ollama.URL == "" {
		t.Errorf("student %+v", c.Student)
	}
}

// Each file of testdata has its problems beside it.
func TestProblems(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			c, err := Load(file)
			if err == nil {
				p, perr := vehicle.Load(testdata.FS, testdata.DemoEV)
				if perr != nil {
					t.Fatal(perr)
				}
				err = c.Check(p)
			}
			if err == nil {
				t.Fatal("nothing is wrong with it")
			}
			if _, ok := err.(vehicle.Problems); !ok {
				t.Errorf("%T is no list of problems", err)
			}
			goldentest.Check(t, *update, strings.TrimSuffix(file, ".yaml")+".txt", err.Error()+"\n")
		})
	}
}

func TestLanguages(t *testing.T) {
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(all.Codes(), words.Codes()); d != "" {
		t.Errorf("languages that are checked against (-there are +checked):\n%s", d)
	}
}

func TestLoadMissingFile(t *testing.T) {
	_, err := Load("no/such.yaml")
	if want := "no/such.yaml: cannot be read: no such file or directory (--config names the file)"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestCredential(t *testing.T) {
	env := func(k string) string { return map[string]string{"CREDENTIALS_DIRECTORY": "/run/credentials/x"}[k] }
	none := func(string) string { return "" }
	for _, tc := range []struct {
		name, dir string
		env       func(string) string
		want      string
	}{
		{"of the service manager", "", env, "/run/credentials/x/key"},
		{"of the file", "/etc/c", env, "/etc/c/key"},
		{"nowhere", "", none, ""},
	} {
		got, err := (&Config{Credentials: tc.dir}).Credential("key", tc.env)
		if got != tc.want || (err == nil) != (tc.want != "") {
			t.Errorf("%s: %q, %v", tc.name, got, err)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, tc := range []struct{ place, file string }{
		{"builtin:greenhouse", testdata.Greenhouse}, {"/etc/x/car.yaml", "car.yaml"}, {"car.yaml", "car.yaml"},
	} {
		fsys, file := Place(tc.place).File()
		if file != tc.file || fsys == nil {
			t.Errorf("%s is %s", tc.place, file)
		}
	}
	if _, folder := Place("builtin:in-car").Folder(); folder != testdata.InCarBundle {
		t.Errorf("in-car is %s", folder)
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"testdata/unknown.yaml", "testdata/values.yaml", root + "/testdata/config/demo.yaml"} {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("f", data)
		if (c == nil) == (err == nil) {
			t.Fatalf("%v and %v", c, err)
		}
		if err != nil {
			return
		}
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse("f", text)
		if err != nil {
			t.Fatalf("what was written is not read: %v\n%s", err, text)
		}
		if d := cmp.Diff(c, again, same); d != "" {
			t.Errorf("(-first +second):\n%s", d)
		}
	})
}
