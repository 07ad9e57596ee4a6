// SPDX-License-Identifier: Apache-2.0

package config

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/testdata"
)

// Place is where a profile or bundle lies: builtin:NAME, or a path.
type Place string

// builtin begins the place of what is embedded in the program.
const builtin = "builtin:"

// The embedded profiles and bundles by name.
var (
	profiles = map[string]string{"demo-ev": testdata.DemoEV, "greenhouse": testdata.Greenhouse}
	bundles  = map[string]string{"in-car": testdata.InCarBundle, "greenhouse": testdata.GreenhouseBundle}
)

// File returns the place of a file as a file system and a name in it. The
// file system holds the file's folder, so that what lies beside it is found.
func (p Place) File() (fs.FS, string) {
	if name, ok := strings.CutPrefix(string(p), builtin); ok {
		return testdata.FS, profiles[name]
	}
	dir, file := filepath.Split(string(p))
	if dir == "" {
		dir = "."
	}
	return os.DirFS(dir), file
}

// Folder returns the place of a folder as a file system and a name in it.
func (p Place) Folder() (fs.FS, string) {
	if name, ok := strings.CutPrefix(string(p), builtin); ok {
		return testdata.FS, bundles[name]
	}
	return os.DirFS(string(p)), "."
}

// names lists the embedded places of a kind as a file writes them.
func names(embedded map[string]string) []string {
	var out []string
	for _, n := range slices.Sorted(maps.Keys(embedded)) {
		out = append(out, builtin+n)
	}
	return out
}
