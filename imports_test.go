// SPDX-License-Identifier: Apache-2.0

package carguardd_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport says what of ours a package may import: itself, the packages
// listed, and with a trailing /... everything below. The longest folder that
// fits counts. Tests may import more.
var mayImport = map[string][]string{
	".":                        {},
	"testdata":                 {},
	"canbus":                   {"canbus/..."},
	"vehicle":                  {"canbus", "canbus/dbc", "canbus/e2e"},
	"vehicle/boundary":         {"vehicle", "canbus", "canbus/dbc", "canbus/e2e"},
	"vehicle/mqtt":             {"vehicle", "vehicle/mqtt/..."},
	"vehicle/sim":              {"vehicle", "canbus", "canbus/dbc", "canbus/e2e"},
	"vehicle/vehicletest":      {"vehicle/...", "canbus/..."},
	"rules":                    {"rules/...", "vehicle"},
	"harness":                  {"harness/words", "rules", "vehicle"},
	"harness/words":            {"vehicle"},
	"harness/gate":             {"harness", "harness/words", "rules", "vehicle"},
	"harness/harnesstest":      {"harness", "harness/words", "rules", "vehicle"},
	"harness/judge":            {"harness", "harness/words", "rules/...", "vehicle"},
	"harness/replay":           {"harness", "rules", "vehicle"},
	"harness/store":            {"harness/store/..."},
	"harness/store/journal":    {"harness", "harness/store", "vehicle"},
	"harness/student":          {"harness", "harness/words", "harness/student/...", "vehicle"},
	"harness/student/form":     {"harness", "harness/student", "rules/compile", "vehicle"},
	"harness/eval":             {"harness/...", "rules/...", "vehicle", "vehicle/sim", "canbus/..."},
	"cmd":                      {"..."},
	"cmd/carguardd/api":        {"harness", "rules/bundle", "vehicle"},
	"cmd/carguardd/show":       {"harness", "rules", "vehicle"},
	"cmd/carguardd/rig/oracle": {"vehicle", "canbus"}, // shares no code with what it judges
	"cross":                    {"..."},
	"systemd":                  {},
}

// homes says which packages may import a library: it is spoken to in one
// place.
var homes = map[string][]string{
	"github.com/dgraph-io/badger":          {"harness/store"},
	"go.etcd.io/bbolt":                     {"harness/store"},
	"github.com/eclipse/paho.mqtt.golang":  {"vehicle/mqtt", "cross"},
	"github.com/mochi-mqtt/server":         {"vehicle/mqtt/broker", "cross"},
	"github.com/ollama/ollama":             {"harness/student/ollama", "cross"},
	"github.com/openai/openai-go":          {"harness/student/openai"},
	"github.com/spf13/cobra":               {"cmd/carguardd"},
	"github.com/rs/zerolog":                {"cmd", "harness/store", "vehicle/mqtt", "systemd", "cross"},
	"go.einride.tech/can":                  {"canbus"},
	"github.com/goccy/go-yaml":             {"vehicle", "harness/words", "rules"},
	"net/http":                             {"harness/student", "rules/bundle/source", "cmd", "cross"},
	"github.com/theupdateframework/go-tuf": {"rules/bundle"},
	"github.com/sigstore/sigstore":         {"rules/bundle"},
	"os/exec":                              {"cross"},
	"unsafe":                               {},
}

// within reports whether a package is the folder or below it.
func within(dir, folder string) bool { return dir == folder || strings.HasPrefix(dir, folder+"/") }

// rule is what the longest folder that fits allows.
func rule(dir string) ([]string, bool) {
	for at := dir; ; {
		if r, ok := mayImport[at]; ok {
			return r, true
		}
		i := strings.LastIndexByte(at, '/')
		if i < 0 {
			return nil, false
		}
		at = at[:i]
	}
}

func allows(list []string, dir, imported string) bool {
	if imported == dir {
		return true
	}
	return slices.ContainsFunc(list, func(p string) bool {
		if p == "..." {
			return true
		}
		below, deep := strings.CutSuffix(p, "/...")
		return imported == p || deep && within(imported, below)
	})
}

// Imports point one way.
func TestImports(t *testing.T) {
	for _, f := range tree(t) {
		if f.isTest() || strings.Contains(f.text, "//go:build deps") {
			continue
		}
		list, ok := rule(f.dir())
		if !ok {
			t.Errorf("%s: imports_test.go does not say what package %s may import", f.path, f.dir())
			continue
		}
		for _, imp := range f.imports() {
			own, ok := strings.CutPrefix(imp, module+"/")
			if ok && !allows(list, f.dir(), own) {
				t.Errorf("%s imports %s, which package %s may not", f.path, own, f.dir())
			}
			for lib, at := range homes {
				if within(imp, lib) && !slices.ContainsFunc(at, func(h string) bool { return within(f.dir(), h) }) {
					t.Errorf("%s imports %s: only %v may", f.path, imp, at)
				}
			}
		}
	}
}

// Nothing that the harness is built from speaks a protocol or keeps a disk,
// however deep.
func TestHarnessIsPure(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./harness").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	deps := strings.Fields(string(out))
	if len(deps) < 50 {
		t.Fatalf("only %d dependencies listed", len(deps))
	}
	for _, bad := range []string{"net/http", "crypto/tls", "os/exec", "github.com/dgraph-io/badger", "go.etcd.io/bbolt", "github.com/eclipse/paho.mqtt.golang",
		"github.com/mochi-mqtt/server", "github.com/ollama/ollama", "github.com/openai/openai-go", "github.com/rs/zerolog", "github.com/spf13/cobra"} {
		for _, d := range deps {
			if within(d, bad) {
				t.Errorf("package harness depends on %s", d)
			}
		}
	}
}
