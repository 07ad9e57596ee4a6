// SPDX-License-Identifier: Apache-2.0

package repo_test

import (
	"crypto/rand"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules/bundle/repo"
	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/rules/bundle/source"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// Whatever init fails at, it leaves no repository behind, and none of what it
// has made is in its way when it is run again.
func TestInitAgain(t *testing.T) {
	for _, c := range []struct {
		name string
		file bool // in the way; otherwise a folder
	}{
		{"keys", true},
		{"staged", true},
		{"public", true},
		{"public/targets", true},
		{"public/metadata", true},
		{"public/metadata/1.root.json", false},
		{"public/metadata/1.targets.json", false},
		{"public/metadata/1.snapshot.json", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "vendor")
			o := repo.Options{Dir: dir, Now: func() time.Time { return repotest.Start }, Random: rand.Reader}
			inTheWay := filepath.Join(dir, c.name)
			if err := os.MkdirAll(filepath.Dir(inTheWay), 0o755); err != nil {
				t.Fatal(err)
			}
			var err error
			if c.file {
				err = os.WriteFile(inTheWay, nil, 0o644)
			} else { // with something in it, so that no file takes its place
				err = os.MkdirAll(filepath.Join(inTheWay, "x"), 0o755)
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := repo.Init(o); err == nil || strings.Contains(err.Error(), "is one already") {
				t.Fatalf("%v, want an error of the disk", err)
			}
			if _, err := repo.Open(o); err == nil {
				t.Error("half a repository can be opened")
			}
			if err := os.RemoveAll(inTheWay); err != nil {
				t.Fatal(err)
			}
			keys := map[string]string{}
			if _, err := os.Stat(filepath.Join(dir, "keys")); err == nil {
				keys = tree(t, filepath.Join(dir, "keys"))
			}
			if _, err := repo.Open(o); err == nil || !strings.Contains(err.Error(), "is no repository") {
				t.Errorf("open half of one: %v", err)
			}
			r, err := repo.Init(o)
			if err != nil {
				t.Fatalf("again: %v", err)
			}
			now := tree(t, filepath.Join(dir, "keys"))
			for file, text := range keys {
				if now[file] != text {
					t.Errorf("%s was overwritten", file)
				}
			}
			if r, err = repo.Open(o); err != nil {
				t.Fatal(err)
			}
			root, err := os.ReadFile(r.RootFile())
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := trust.Refresh(t.Context(), source.NewFolder(filepath.Join(dir, "public")), root, trust.Memory{}, repotest.Start); err != nil {
				t.Errorf("a car: %v", err)
			}
			if _, err := repo.Init(o); err == nil || !strings.Contains(err.Error(), "is one already") {
				t.Errorf("once more: %v", err)
			}
		})
	}
}

// Only the keys are for their owner alone: a web server has to reach public/.
func TestInitModes(t *testing.T) {
	v := repotest.New(t)
	mode := func(name string) os.FileMode {
		info, err := os.Stat(filepath.Join(v.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if mode("keys") != 0o700 {
		t.Errorf("keys: %v", mode("keys"))
	}
	for _, name := range []string{"staged", "public", "public/targets", "public/metadata"} {
		if mode(name) != mode(".") || mode(name) == 0o700 {
			t.Errorf("%s: %v, and the folder has %v", name, mode(name), mode("."))
		}
	}
}

// A repository that has lost its timestamp is none, and none is made over it:
// cars trust the root that is there.
func TestLostTimestamp(t *testing.T) {
	v := repotest.New(t)
	v.Publish(repotest.Text(t, "small", 1))
	if err := os.Remove(v.Public("metadata", "timestamp.json")); err != nil {
		t.Fatal(err)
	}
	before := tree(t, v.Dir)
	o := repo.Options{Dir: v.Dir, Now: func() time.Time { return repotest.Start }, Random: rand.Reader}
	if _, err := repo.Init(o); err == nil || !strings.Contains(err.Error(), "no timestamp.json: restore") {
		t.Errorf("%v", err)
	}
	if !maps.Equal(before, tree(t, v.Dir)) {
		t.Error("something was written")
	}
}
