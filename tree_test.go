// SPDX-License-Identifier: Apache-2.0

package carguardd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// module is the import path of the repository's root.
const module = "github.com/carguardd/carguardd"

// goFile is one Go file of the repository.
type goFile struct {
	path string // with slashes, from the root
	text string
	ast  *ast.File // imports and comments
}

// dir is the file's package folder; "." is the root.
func (f *goFile) dir() string { return path.Dir(f.path) }

func (f *goFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// imports are the paths that the file imports.
func (f *goFile) imports() []string {
	var out []string
	for _, s := range f.ast.Imports {
		out = append(out, strings.Trim(s.Path.Value, `"`))
	}
	return out
}

// readTree reads every Go file once.
var readTree = sync.OnceValues(func() ([]*goFile, error) {
	var out []*goFile
	err := walk(func(p string) error {
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		f := &goFile{path: p, text: string(data)}
		f.ast, err = parser.ParseFile(token.NewFileSet(), p, data, parser.ImportsOnly|parser.ParseComments)
		out = append(out, f)
		return err
	})
	return out, err
})

// walk calls f for every file of the repository, but not for what was built
// or belongs to the version control.
func walk(f func(path string) error) error {
	return filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".ci" || d.Name() == "bin") {
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		return f(filepath.ToSlash(p))
	})
}

func tree(t *testing.T) []*goFile {
	t.Helper()
	files, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 300 {
		t.Fatalf("only %d go files were found: is this the root of the repository?", len(files))
	}
	return files
}

// packages are the files of each package, without its tests, by folder.
func packages(t *testing.T) (dirs []string, files map[string][]*goFile) {
	files = map[string][]*goFile{}
	for _, f := range tree(t) {
		if f.isTest() {
			continue
		}
		if files[f.dir()] == nil {
			dirs = append(dirs, f.dir())
		}
		files[f.dir()] = append(files[f.dir()], f)
	}
	slices.Sort(dirs)
	return dirs, files
}
