// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestGatesSayHowTheyDecide: every gate of the table has a file of its own, in
// which its doc comment holds the exact decision procedure. What it is worth is
// in docs/gates.md, since a figure in a comment would go stale.
func TestGatesSayHowTheyDecide(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	docs, where := map[string]string{}, map[string]string{}
	table := map[string]string{} // gate → function
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				docs[fn.Name.Name], where[fn.Name.Name] = fn.Doc.Text(), name
			}
		}
		if name == "gates.go" {
			readGateTable(t, f, table)
		}
	}
	seen := map[string]string{}
	for _, g := range Gates() {
		fn := table[g.Name]
		switch words := len(strings.Fields(docs[fn])); {
		case fn == "":
			t.Errorf("%s: the table is not understood", g.Name)
		case words < 25:
			t.Errorf("%s: the comment of %s has %d words: it must say exactly when the gate fires", g.Name, fn, words)
		case !strings.HasPrefix(docs[fn], fn+" "):
			t.Errorf("%s: the comment of %s does not begin with its name", g.Name, fn)
		case !strings.HasPrefix(where[fn], "gate_"):
			t.Errorf("%s is in %s, not in a file of its own", g.Name, where[fn])
		case seen[where[fn]] != "":
			t.Errorf("%s and %s are in one file", g.Name, seen[where[fn]])
		}
		seen[where[fn]] = g.Name
	}
}

// readGateTable reads which function is which gate.
func readGateTable(t *testing.T, f *ast.File, table map[string]string) {
	t.Helper()
	ast.Inspect(f, func(n ast.Node) bool {
		row, ok := n.(*ast.CompositeLit)
		if !ok || len(row.Elts) != 4 {
			return true
		}
		name, ok := row.Elts[0].(*ast.BasicLit)
		fn, isFunc := row.Elts[3].(*ast.Ident)
		if !ok || !isFunc {
			return true
		}
		s, err := strconv.Unquote(name.Value)
		if err != nil {
			t.Fatal(err)
		}
		table[s] = fn.Name
		return true
	})
}
