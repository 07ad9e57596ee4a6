// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// builtins are the embedded bundles by name, each with its place and profile.
func builtins() map[string][2]string {
	return map[string][2]string{
		"builtin:in-car":     {testdata.InCarBundle, "demo-ev"},
		"builtin:greenhouse": {testdata.GreenhouseBundle, "greenhouse"},
	}
}

// ruleFlags are the flags of the verbs that load a bundle.
type ruleFlags struct {
	profile string
	asJSON  bool
}

func (f *ruleFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.profile, "profile", "", "the vehicle profile: demo-ev, greenhouse or a file (default demo-ev, or the embedded bundle's own)")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document")
}

// checkPercent refuses a flag's value that is no percentage.
func checkPercent(flag string, v float64) error {
	if v >= 0 && v <= 100 {
		return nil
	}
	return usageError("%s %g: want a number from 0 to 100", flag, v)
}

// bundleArg is the bundle that a command line names; here without one.
func bundleArg(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}

// place is where a bundle is, a folder or an archive: its places in messages
// are as the command line names it.
func place(bundle string) (fsys fs.FS, dir string, err error) {
	if fsys, dir, err = placeToBe(bundle); err != nil || fsys != (hostFS{}) {
		return fsys, dir, err
	}
	if _, err := os.Stat(bundle); err != nil {
		return nil, "", withHint(failed(fmt.Errorf("%s: %w", bundle, reason(err))), "a bundle is a folder, an archive that 'rules build' made, builtin:in-car or builtin:greenhouse")
	}
	return fsys, dir, nil
}

// reason is an error of the file system without the name that it is about.
func reason(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}

// placeToBe is where a bundle is or would be: that there is none is for
// whoever loads it.
func placeToBe(bundle string) (fsys fs.FS, dir string, err error) {
	fsys, dir, err = placeOfFiles(bundle)
	if info, serr := os.Stat(bundle); err != nil || fsys != (hostFS{}) || serr != nil || !info.Mode().IsRegular() {
		return fsys, dir, err
	}
	a, err := archive.ReadFile(bundle)
	if err != nil {
		return nil, "", failed(err)
	}
	return a.FS(dir), dir, nil
}

// placeOfFiles is where a folder or a file is.
func placeOfFiles(name string) (fsys fs.FS, dir string, err error) {
	if b, ok := builtins()[name]; ok {
		return testdata.FS, b[0], nil
	}
	if strings.HasPrefix(name, "builtin:") {
		return nil, "", usageError("there is no bundle %s: builtin:in-car or builtin:greenhouse", name)
	}
	return hostFS{}, filepath.ToSlash(filepath.Clean(name)), nil
}

// profileName is the profile that a bundle is for.
func (f *ruleFlags) profileName(bundle string) string {
	switch own := builtins()[bundle][1]; {
	case f.profile != "":
		return f.profile
	case own != "":
		return own
	}
	return "demo-ev"
}

// catalog is what the profile offers.
func (f *ruleFlags) catalog(bundle string) (*vehicle.Catalog, error) {
	p, err := vehicle.Load(findProfile(f.profileName(bundle)))
	if err != nil {
		return nil, failed(err)
	}
	return vehicle.NewCatalog(p), nil
}

// load reads a bundle and what it is resolved against.
func (f *ruleFlags) load(bundle string) (*rules.Set, *vehicle.Catalog, error) {
	cat, err := f.catalog(bundle)
	if err != nil {
		return nil, nil, err
	}
	fsys, dir, err := place(bundle)
	if err != nil {
		return nil, nil, err
	}
	set, err := rules.Load(fsys, dir, cat)
	return set, cat, failed(err)
}

// hostFS is the file system of the machine under the names that people type.
// An fs.FS of a directory would lose how they came to it.
type hostFS struct{}

func (hostFS) Open(name string) (fs.File, error)    { return os.Open(filepath.FromSlash(name)) }
func (hostFS) ReadFile(name string) ([]byte, error) { return os.ReadFile(filepath.FromSlash(name)) }
func (hostFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return os.ReadDir(filepath.FromSlash(name))
}
