// SPDX-License-Identifier: Apache-2.0

package compile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/vehicle"
)

func key(t *testing.T, policy string, cat *vehicle.Catalog, more ...string) string {
	t.Helper()
	k, _, err := compile.Key(compile.Options{Catalog: cat, Bundle: bundle(policy, more...), Dir: "b"})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A key changes with what an answer depends on, and with nothing else.
func TestKey(t *testing.T) {
	cat := catalog(t)
	policy := "# Policy\n\nWe are at HERE = {\"id\": 1, \"at\": {\"x\": 2}} now. Close the windows.\n"
	was := key(t, policy, cat)
	for name, c := range map[string]struct {
		key  string
		same bool
	}{
		"another place":          {key(t, "# Policy\n\nWe are at HERE = {\"id\": 7} now. Close the windows.\n", cat), true},
		"another heading, lines": {key(t, "# Rules\n\nWe are at HERE = x now.\nClose\nthe windows.\n<!-- a remark -->\n", cat), true},
		"a decided sentence more": {key(t, policy+"Be kind.\n", cat, "rules/a.yaml",
			"advisory: [{policy: Be kind., why: taste}]\n"), true},
		"another sentence": {key(t, policy+"Be kind.\n", cat), false},
		"another word":     {key(t, "# Policy\n\nWe are at HERE = {\"id\": 1} now. Open the windows.\n", cat), false},
		"fewer tools":      {key(t, policy, vehicle.NewCatalog(cat.Profile, cat.Tools[1:]...)), false},
		"a lexicon":        {key(t, policy, cat, "rules/a.yaml", "advisory: [{policy: Close the windows., why: x}]\n", "lexicon/en.yaml", "words: {a: [b]}\n"), false},
	} {
		if (c.key == was) != c.same {
			t.Errorf("%s: the key is the same: %v", name, c.key == was)
		}
	}
}

// A result comes out of the cache as it went in; a damaged file is none.
func TestCache(t *testing.T) {
	c := compile.Cache{Dir: filepath.Join(t.TempDir(), "compiled")}
	if _, err := c.Get("k"); !errors.Is(err, compile.ErrNotCached) {
		t.Errorf("an empty cache: %v", err)
	}
	want := &compile.Result{Asked: 3, Rules: []compile.Compiled{{ID: "c-a", Type: "auto_action", Sentence: "S.", Body: vehicle.MustJSON(`{"on": [1]}`)}}}
	if err := c.Put("k", want); err != nil {
		t.Fatal(err)
	}
	got, err := c.Get("k")
	if err != nil || got.Asked != 3 || len(got.Rules) != 1 || !got.Rules[0].Body.Equal(want.Rules[0].Body) {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "k.json"), []byte(`{"rules": [{`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get("k"); !errors.Is(err, compile.ErrNotCached) {
		t.Errorf("a damaged file: %v", err)
	}
	blocked := compile.Cache{Dir: filepath.Join(c.Dir, "k.json", "under a file")}
	if err := blocked.Put("k", want); err == nil {
		t.Error("kept where nothing can be kept")
	}
}

// Replace leaves the old content or the new, and nothing beside it.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f.yaml")
	for _, text := range []string{"one", "two"} {
		if err := compile.Replace(file, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := compile.Replace(filepath.Join(dir, "nowhere", "f"), nil); err == nil {
		t.Error("written into no folder")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
