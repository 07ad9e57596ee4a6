// SPDX-License-Identifier: Apache-2.0

package repo_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/carguardd/carguardd/rules/bundle/repo"
	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// cutRotation is a vendor with one bundle whose rotation ended after the new
// root was written: what is public is the publication before, and the new root.
func cutRotation(t *testing.T, role string) *repotest.Vendor {
	t.Helper()
	v := repotest.New(t)
	v.Publish(repotest.Text(t, "small", 1))
	before := tree(t, v.Public("metadata"))
	if err := v.Rotate(role); err != nil {
		t.Fatal(err)
	}
	for name := range tree(t, v.Public("metadata")) {
		text, known := before[name]
		if filepath.Base(name) == "2.root.json" {
			continue
		}
		err := os.WriteFile(name, []byte(text), 0o644)
		if !known {
			err = os.Remove(name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	v.Reopen()
	return v
}

// believes is what a car makes of a repository.
func believes(t *testing.T, v *repotest.Vendor, root []byte) error {
	t.Helper()
	_, view, err := trust.Refresh(t.Context(), v.Source(), root, trust.Memory{}, v.Now)
	if err == nil && len(view.Targets) != 1 {
		t.Errorf("targets %+v", view.Targets)
	}
	return err
}

// After a rotation that was cut in its middle, publish and another rotation
// make a repository that cars believe; until then inspect says what is wrong.
func TestCutRotation(t *testing.T) {
	for _, role := range []string{"root", "targets", "snapshot", "timestamp"} {
		for next, do := range map[string]func(v *repotest.Vendor) error{
			"publish":          func(v *repotest.Vendor) error { _, err := v.Repo.Publish(); return err },
			"rotate timestamp": func(v *repotest.Vendor) error { return v.Rotate("timestamp") },
			"rotate targets":   func(v *repotest.Vendor) error { return v.Rotate("targets") },
			"rotate root":      func(v *repotest.Vendor) error { return v.Rotate("root") },
		} {
			v := cutRotation(t, role)
			var outdated, want []string
			s, err := v.Summary()
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range s.Roles {
				if r.Outdated {
					outdated = append(outdated, r.Name)
				}
			}
			first, err := os.ReadFile(v.Public("metadata", "1.root.json"))
			if err != nil {
				t.Fatal(err)
			}
			var refused *trust.RefusedError
			if role != "root" {
				want = []string{role}
				if err := believes(t, v, first); !errors.As(err, &refused) || refused.Why != trust.BadSignature {
					t.Errorf("%s cut: %v", role, err)
				}
			}
			if !slices.Equal(outdated, want) {
				t.Errorf("%s cut: inspect shows %v, want %v", role, outdated, want)
			}
			if err := do(v); err != nil {
				t.Fatalf("%s cut, %s: %v", role, next, err)
			}
			if err := believes(t, v, first); err != nil {
				t.Errorf("%s cut, %s: %v", role, next, err)
			}
			v.Reopen()
			if s, err = v.Summary(); err != nil || slices.ContainsFunc(s.Roles, func(r repo.Role) bool { return r.Outdated }) {
				t.Errorf("%s cut, %s: %+v, %v", role, next, s.Roles, err)
			}
		}
	}
}

// Without the keys of targets the list cannot be signed anew, and nothing is
// renewed that no car would believe.
func TestCutRotationMissingKeys(t *testing.T) {
	for name, do := range map[string]func(v *repotest.Vendor) error{
		"publish":         func(v *repotest.Vendor) error { _, err := v.Repo.Publish(); return err },
		"rotate snapshot": func(v *repotest.Vendor) error { return v.Rotate("snapshot") },
	} {
		v := cutRotation(t, "targets")
		keys, err := filepath.Glob(v.Key("targets-*"))
		if err != nil || len(keys) == 0 {
			t.Fatal(keys, err)
		}
		for _, k := range keys {
			if err := os.Remove(k); err != nil {
				t.Fatal(err)
			}
		}
		v.Reopen()
		before := tree(t, v.Dir)
		var missing *repo.MissingKeysError
		if err := do(v); !errors.As(err, &missing) || missing.Role != "targets" {
			t.Errorf("%s: %v", name, err)
		}
		if !maps.Equal(before, tree(t, v.Dir)) {
			t.Errorf("%s: something was written", name)
		}
	}
}
