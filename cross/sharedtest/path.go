// SPDX-License-Identifier: Apache-2.0

package sharedtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Path is where a file or folder of the shared data lies. name is relative to
// the folder that CARGUARD_SHARED names, or else to ../shared beside the
// repository, and has slashes. A test whose data is missing is skipped; with CI
// set, it fails.
func Path(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(folder(t), filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		missing := t.Skipf
		if inCI() {
			missing = t.Fatalf
		}
		missing("SHARED DATA MISSING: %v (set CARGUARD_SHARED)", err)
	}
	return path
}

func folder(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("CARGUARD_SHARED"); dir != "" {
		return dir
	}
	return filepath.Join(root(t), "..", "shared")
}

// root is the folder of go.mod, above the one that the test runs in.
func root(t testing.TB) string {
	t.Helper()
	start, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatalf("no go.mod above %s: is this a checkout of the repository?", start)
		}
	}
}

// inCI reports whether CI is set; some systems put their own name there.
func inCI() bool {
	ci := os.Getenv("CI")
	return ci != "" && !strings.EqualFold(ci, "false") && ci != "0"
}
