// SPDX-License-Identifier: Apache-2.0

package peerstest

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	testFunc  = regexp.MustCompile(`(?m)^func (Test\w*)\(`)
	buildTag  = regexp.MustCompile(`(?m)^//go:build systemtest$`)
	namedSo   = regexp.MustCompile(`^TestSystem`)
	atLeastOf = 6 // packages with system tests; fewer means that this test looks in the wrong place
)

// `make test-system` runs tests by name. One with the tag and another name
// would be built and never run.
func TestNamesOfSystemTests(t *testing.T) {
	packages := map[string]bool{}
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		tagged := buildTag.Match(src)
		if want := strings.HasSuffix(name, "_system_test.go"); tagged != want {
			t.Errorf("%s: tag systemtest %v, name ends with _system_test.go %v", name, tagged, want)
		}
		if !tagged {
			return nil
		}
		packages[path.Dir(name)] = true
		for _, m := range testFunc.FindAllSubmatch(src, -1) {
			if !namedSo.Match(m[1]) && string(m[1]) != "TestMain" {
				t.Errorf("%s: %s has the tag systemtest and is never run: its name must begin with TestSystem", name, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < atLeastOf {
		t.Errorf("system tests in %d packages, want %d", len(packages), atLeastOf)
	}
}
