// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/sharedtest"
)

// evaluate runs `eval` with arguments and returns what it printed.
func evaluate(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetArgs(append([]string{"eval"}, args...))
	root.SetOut(&out)
	root.SetErr(&errs)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestEvalUsage(t *testing.T) {
	for _, tc := range []struct {
		name, args string
		code       int
		says       string
	}{
		{"no folder", "sim", exitUsage, "arg"},
		{"no such folder", "replay /nonexistent", exitFailed, "nonexistent"},
		{"an empty folder", "drive " + t.TempDir(), exitFailed, "locations.jsonl"},
		{"an unknown flag", "sim --fast x", exitUsage, "fast"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := evaluate(t, strings.Fields(tc.args)...)
			if err == nil || code(err) != tc.code || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("error %v with code %d, want %d and %q", err, code(err), tc.code, tc.says)
			}
		})
	}
}

func TestEvalOutputs(t *testing.T) {
	dir := sharedtest.Path(t, "carbench")
	tmp := t.TempDir()
	junit, floor := filepath.Join(tmp, "junit.xml"), filepath.Join(tmp, "floor.json")
	if err := os.WriteFile(floor, []byte(`{"sim-results": 99}`), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := evaluate(t, "sim", "--json", "--junit", junit, "--floor", floor, dir)
	if err != nil {
		t.Fatal(err)
	}
	var rep struct{ Results, Same int }
	if err := json.Unmarshal([]byte(out), &rep); err != nil || rep.Results == 0 || rep.Same > rep.Results {
		t.Errorf("%d of %d results, error %v", rep.Same, rep.Results, err)
	}
	if raw, err := os.ReadFile(junit); err != nil || !strings.Contains(string(raw), `<testsuite name="eval sim"`) {
		t.Errorf("junit: %v in %s", err, raw)
	}
	if err := os.WriteFile(floor, []byte(`{"sim-results": 100}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err = evaluate(t, "sim", "--floor", floor, dir); err == nil || !strings.Contains(err.Error(), "fell from 100") {
		t.Errorf("a figure under the floor gave %v", err)
	}
	if _, err = evaluate(t, "sim", "--floor", junit, dir); code(err) != exitConfig {
		t.Errorf("a floor that is no JSON gave %v with code %d", err, code(err))
	}
}
