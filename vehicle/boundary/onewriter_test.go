// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/carguardd/carguardd/"

// writers are the folders that may write to a transport: the boundary, the
// transports themselves, and the control units of the simulated cars.
var writers = []string{"vehicle/boundary", "vehicle/mqtt", "vehicle/sim", "vehicle/vehicletest", "canbus"}

// Nothing but the boundary writes to a bus.
func TestOneWriter(t *testing.T) {
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if slices.Contains(writers, rel) || d.Name() == "testdata" || (strings.HasPrefix(d.Name(), ".") && rel != ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for _, p := range writes(rel, src) {
			t.Error(p)
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Fatalf("read %d files: %v", files, err)
	}
}

// writes lists what in the file writes to a transport, or could.
func writes(name string, src []byte) (found []string) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil // it does not build, so it writes nothing
	}
	imports := func(path string) bool {
		return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
			p, _ := strconv.Unquote(i.Path.Value)
			return p == path || strings.HasPrefix(p, path+"/")
		})
	}
	report := func(n ast.Node, format string, args ...any) {
		found = append(found, fmt.Sprintf("%s: %s: only vehicle/boundary writes to a bus", set.Position(n.Pos()), fmt.Sprintf(format, args...)))
	}
	if !strings.HasPrefix(name, "deps.go") {
		for _, path := range []string{"go.einride.tech/can/pkg/socketcan", "github.com/eclipse/paho.mqtt.golang"} {
			if imports(path) {
				report(f.Name, "imports %s", path)
			}
		}
	}
	can, mqtt := imports(module+"canbus"), imports(module+"vehicle/mqtt")
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.SelectorExpr:
			if can && (x.Sel.Name == "Send" || x.Sel.Name == "TransmitFrame") {
				report(x, "uses %s", x.Sel.Name)
			}
		case *ast.CallExpr:
			sel, ok := x.Fun.(*ast.SelectorExpr)
			if mqtt && ok && strings.HasPrefix(sel.Sel.Name, "Publish") && len(x.Args) > 1 && commandTopic(x.Args[1]) {
				report(x, "publishes to a command topic")
			}
		}
		return true
	})
	return found
}

// commandTopic reports whether the expression names a set/ topic.
func commandTopic(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.BasicLit:
			is = is || strings.Contains(x.Value, "set/")
		case *ast.SelectorExpr:
			is = is || x.Sel.Name == "Set"
		}
		return true
	})
	return is
}

// The test above must be able to fail.
func TestOneWriterSees(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      int
	}{
		{"a send", `package x; import "github.com/carguardd/carguardd/canbus"; func f(b canbus.Bus) { b.Send(nil, canbus.Frame{}) }`, 1},
		{"a send passed on", `package x; import "github.com/carguardd/carguardd/canbus"; func f(b canbus.Bus) any { return b.Send }`, 1},
		{"a raw socket", `package x; import "go.einride.tech/can/pkg/socketcan"; var _ = socketcan.Dial`, 1},
		{"a command topic", `package x; import "github.com/carguardd/carguardd/vehicle/mqtt"; func f(c *mqtt.Client, t mqtt.Topics) { c.Publish(nil, t.Set(p), nil, 1, false) }`, 1},
		{"a command topic by name", `package x; import "github.com/carguardd/carguardd/vehicle/mqtt"; func f(c *mqtt.Client) { c.Publish(nil, "carguard/car/set/x", nil, 1, false) }`, 1},
		{"a reply", `package x; import "github.com/carguardd/carguardd/vehicle/mqtt"; func f(c *mqtt.Client, t mqtt.Topics) { c.Publish(nil, t.Reply(), nil, 1, false) }`, 0},
		{"the boundary", `package x; import "github.com/carguardd/carguardd/vehicle/boundary"; func f(b *boundary.Boundary) { b.SendFrame(nil, "body", g) }`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := writes("x.go", []byte(c.src)); len(got) != c.want {
				t.Fatalf("found %v, want %d", got, c.want)
			}
		})
	}
}
