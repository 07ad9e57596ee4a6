// SPDX-License-Identifier: Apache-2.0

package repo_test

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules/bundle/repo"
	"github.com/carguardd/carguardd/rules/bundle/repotest"
)

func TestLife(t *testing.T) {
	v := repotest.New(t)
	v.Publish(repotest.Text(t, "small", 1))
	v.Publish(repotest.Text(t, "small", 2), repotest.Text(t, "other", 7))
	s, err := v.Summary()
	if err != nil || len(s.Bundles) != 3 || s.Bundles[0].Name != "other" || s.Bundles[2].Revision != 2 || len(s.Staged) != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	for i, want := range []struct {
		name            string
		keys, threshold int
		version         int64
	}{{"root", 3, 2, 1}, {"targets", 2, 1, 3}, {"snapshot", 1, 1, 3}, {"timestamp", 1, 1, 3}} {
		r := s.Roles[i]
		if r.Name != want.name || len(r.Keys) != want.keys || r.Threshold != want.threshold || r.Version != want.version {
			t.Errorf("role %+v, want %+v", r, want)
		}
	}
	// What was published stays: a car may still be on its way to it.
	for _, name := range []string{"metadata/1.targets.json", "metadata/2.snapshot.json", "metadata/1.root.json"} {
		if _, err := os.Stat(v.Public(name)); err != nil {
			t.Error(err)
		}
	}
	v.Reopen()
	if again, err := v.Summary(); err != nil || len(again.Bundles) != 3 {
		t.Errorf("opened again: %+v, %v", again, err)
	}
	// One hash each: with two a client could not know which is in the file's name.
	if list, err := os.ReadFile(v.Public("metadata", "3.targets.json")); err != nil || strings.Count(string(list), `"sha256"`) != 3 || strings.Contains(string(list), "sha512") {
		t.Errorf("hashes in %s (%v)", list, err)
	}
	info, err := os.Stat(v.Key("root-1"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a private key has mode %v (%v)", info.Mode(), err)
	}
}

func TestRevisionsGrow(t *testing.T) {
	v := repotest.New(t)
	v.Publish(repotest.Text(t, "small", 5))
	add := func(revision int) error {
		file := filepath.Join(t.TempDir(), "x.cgb")
		if err := os.WriteFile(file, repotest.Text(t, "small", revision), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := v.Add(file)
		return err
	}
	var low *repo.RevisionError
	for _, n := range []int{4, 5} {
		if err := add(n); !errors.As(err, &low) || low.Now != 5 {
			t.Errorf("revision %d: %v", n, err)
		}
	}
	if err := add(7); err != nil {
		t.Fatal(err)
	}
	if err := add(6); !errors.As(err, &low) || low.Now != 7 {
		t.Errorf("below one that waits: %v", err)
	}
}

// Without the keys of targets, what is there can be renewed and nothing added.
func TestOnlineKeysOnly(t *testing.T) {
	v := repotest.New(t)
	v.Publish(repotest.Text(t, "small", 1))
	for _, k := range []string{"targets-1", "targets-2", "root-1", "root-2", "root-3"} {
		if err := os.Remove(v.Key(k)); err != nil {
			t.Fatal(err)
		}
	}
	v.Reopen()
	v.Now = v.Now.Add(20 * 24 * time.Hour)
	if _, err := v.Repo.Publish(); err != nil {
		t.Fatal(err)
	}
	s, err := v.Summary()
	if err != nil || s.Roles[1].Version != 2 || s.Roles[3].Version != 3 || !s.Roles[3].Expires.After(v.Now.Add(29*24*time.Hour)) {
		t.Errorf("%+v, %v", s.Roles, err)
	}
	var missing *repo.MissingKeysError
	if err := v.Rotate("timestamp"); !errors.As(err, &missing) || missing.Role != "root" || missing.Have != 0 {
		t.Errorf("rotate: %v", err)
	}
	file := filepath.Join(t.TempDir(), "x.cgb")
	if err := os.WriteFile(file, repotest.Text(t, "small", 2), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Add(file); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Repo.Publish(); !errors.As(err, &missing) || missing.Role != "targets" || missing.Need != 1 {
		t.Errorf("publish: %v", err)
	}
}

// A repository whose keys are not all here is as it was after whatever needs them.
func TestMissingKeysChangeNothing(t *testing.T) {
	for _, c := range []struct {
		missing string
		do      func(v *repotest.Vendor) error
	}{
		{"timestamp", func(v *repotest.Vendor) error { _, err := v.Repo.Publish(); return err }},
		{"snapshot", func(v *repotest.Vendor) error { _, err := v.Repo.Publish(); return err }},
		{"timestamp", func(v *repotest.Vendor) error { return v.Rotate("snapshot") }},
		{"snapshot", func(v *repotest.Vendor) error { return v.Rotate("timestamp") }},
		{"snapshot", func(v *repotest.Vendor) error { return v.Rotate("root") }},
		{"timestamp", func(v *repotest.Vendor) error { return v.Rotate("targets") }},
	} {
		v := repotest.New(t)
		file := filepath.Join(t.TempDir(), "x.cgb")
		if err := os.WriteFile(file, repotest.Text(t, "small", 1), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Add(file); err != nil {
			t.Fatal(err)
		}
		key := v.Key(c.missing + "-1")
		if err := os.Rename(key, key+".away"); err != nil {
			t.Fatal(err)
		}
		v.Reopen()
		before := tree(t, v.Dir)
		var missing *repo.MissingKeysError
		if err := c.do(v); !errors.As(err, &missing) || missing.Role != c.missing {
			t.Errorf("without %s: %v", c.missing, err)
		}
		if after := tree(t, v.Dir); !maps.Equal(before, after) {
			t.Errorf("without %s: something was written", c.missing)
		}
		if err := os.Rename(key+".away", key); err != nil {
			t.Fatal(err)
		}
		v.Reopen()
		if _, err := v.Repo.Publish(); err != nil {
			t.Errorf("with %s: %v", c.missing, err)
		}
	}
}

// tree is every file below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRefusals(t *testing.T) {
	v := repotest.New(t)
	o := repo.Options{Dir: v.Dir, Now: time.Now, Random: rand.Reader}
	if _, err := repo.Init(o); err == nil || !strings.Contains(err.Error(), "is one already") {
		t.Errorf("init twice: %v", err)
	}
	o.Dir = t.TempDir()
	if _, err := repo.Open(o); err == nil || !strings.Contains(err.Error(), "is no repository") {
		t.Errorf("open nothing: %v", err)
	}
	if err := v.Rotate("mirror"); err == nil || !strings.Contains(err.Error(), "no role mirror") {
		t.Errorf("rotate: %v", err)
	}
	file := filepath.Join(t.TempDir(), "x.cgb")
	if err := os.WriteFile(file, []byte("no archive"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Add(file); err == nil || !strings.Contains(err.Error(), "no bundle archive") {
		t.Errorf("add: %v", err)
	}
	if err := os.WriteFile(v.Key("bad"), []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Dir = v.Dir
	if _, err := repo.Open(o); err == nil || !strings.Contains(err.Error(), "no PEM file") {
		t.Errorf("a bad key: %v", err)
	}
}

// A rotated role has other keys, the old ones are put aside, and a root that
// replaces itself is signed by both generations.
func TestRotate(t *testing.T) {
	for _, role := range []string{"timestamp", "snapshot", "targets", "root"} {
		t.Run(role, func(t *testing.T) {
			v := repotest.New(t)
			v.Publish(repotest.Text(t, "small", 1))
			before, err := v.Summary()
			if err != nil {
				t.Fatal(err)
			}
			if err := v.Rotate(role); err != nil {
				t.Fatal(err)
			}
			v.Reopen()
			after, err := v.Summary()
			if err != nil || after.Roles[0].Version != 2 {
				t.Fatalf("%+v, %v", after, err)
			}
			for i, r := range after.Roles {
				if same := r.Keys[0].ID == before.Roles[i].Keys[0].ID; same == (r.Name == role) {
					t.Errorf("keys of %s: the same %v", r.Name, same)
				}
				for _, k := range r.Keys {
					if k.File == "" {
						t.Errorf("the private key %s of %s is gone", k.ID, r.Name)
					}
				}
			}
			retired, err := filepath.Glob(filepath.Join(v.Dir, "keys", "retired", role+"-*.pem"))
			if err != nil || len(retired) != len(after.Roles[map[string]int{"root": 0, "targets": 1, "snapshot": 2, "timestamp": 3}[role]].Keys) {
				t.Errorf("retired: %v, %v", retired, err)
			}
			v.Publish(repotest.Text(t, "small", 2))
		})
	}
}
