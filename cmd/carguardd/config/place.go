// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
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

// Folder returns the place of a bundle, a folder or an archive, as a file system
// and a name in it. What cannot be read of an archive is the error of every
// file in it.
func (p Place) Folder() (fs.FS, string) {
	if name, ok := strings.CutPrefix(string(p), builtin); ok {
		return testdata.FS, bundles[name]
	}
	if info, err := os.Stat(string(p)); err == nil && info.Mode().IsRegular() {
		a, err := archive.ReadFile(string(p))
		if err != nil {
			return broken{err}, "."
		}
		return a.FS("."), "."
	}
	return os.DirFS(string(p)), "."
}

// broken is a file system of which nothing can be opened.
type broken struct{ err error }

func (b broken) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: b.err}
}

// Present says which of the files that the configuration names are not there,
// with the place in it. Credentials are not among them: who starts the daemon
// hands them over. The error is [vehicle.Problems].
func (c *Config) Present() error {
	var out vehicle.Problems
	missing := func(key, name string, err error) {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		if err != nil {
			out = append(out, vehicle.Problem{Pos: c.at(key), Text: fmt.Sprintf("%s: %s: %v", key, name, err),
				Hint: "relative paths begin at the folder of this file"})
		}
	}
	file, folder := Place.File, Place.Folder
	for _, l := range []struct {
		key   string
		place Place
		open  func(Place) (fs.FS, string)
	}{{"vehicle.profile", c.Vehicle.Profile, file}, {"rules", c.Rules, folder}} {
		_, err := fs.Stat(l.open(l.place))
		missing(l.key, string(l.place), err)
	}
	for _, l := range []struct{ key, file string }{{"bundles.root", c.Bundles.Root}, {"mqtt.ca", c.MQTT.CA}, {"mqtt.cert", c.MQTT.Cert}, {"mqtt.key", c.MQTT.Key}} {
		if l.file != "" {
			_, err := os.Stat(l.file)
			missing(l.key, l.file, err)
		}
	}
	return out.Err()
}

// names lists the embedded places of a kind as a file writes them.
func names(embedded map[string]string) []string {
	var out []string
	for _, n := range slices.Sorted(maps.Keys(embedded)) {
		out = append(out, builtin+n)
	}
	return out
}
