// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/judge"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/proof"
	"github.com/carguardd/carguardd/rules/fields"
	"github.com/carguardd/carguardd/vehicle"
)

type buildFlags struct {
	profiles []string
	output   string
	untested bool
	asJSON   bool
}

func newRulesBuild() *cobra.Command {
	var f buildFlags
	cmd := &cobra.Command{
		Use:   "build [BUNDLE]",
		Short: "pack a bundle into the archive that is shipped",
		Long: "Packs the folder of a bundle into one file. The same folder gives the same bytes.\n" +
			"Nothing is built from a bundle that does not load, of which lint is certain that\n" +
			"it is wrong, whose tests fail, or that breaks the floor of the car. The archive\n" +
			"is for cars with the tools of --profile; repeat it when there are several kinds.",
		Example: "  carguardd rules build my-bundle -o in-car-2.cgb\n  carguardd rules build --profile car-a.yaml --profile car-b.yaml my-bundle",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.build(cmd.Context(), cmd.OutOrStdout(), bundleArg(args))
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.output, "output", "o", "", "the file to write; - for standard output (default NAME-REVISION.cgb)")
	fl.StringArrayVar(&f.profiles, "profile", nil, "a vehicle profile that it is for: demo-ev, greenhouse or a file (repeatable; default demo-ev, or the embedded bundle's own)")
	fl.BoolVar(&f.untested, "untested", false, "play neither its tests nor the floor; the car plays both before it takes the bundle")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// buildDoc is the document of `rules build --json` and `rules inspect --json`.
type buildDoc struct {
	File     string            `json:"file"`
	SHA256   string            `json:"sha256"`
	Length   int               `json:"length"`
	Manifest *archive.Manifest `json:"manifest"`
}

func (f *buildFlags) build(ctx context.Context, w io.Writer, bundle string) error {
	if f.profiles == nil {
		f.profiles = []string{""}
	}
	fsys, dir, err := place(bundle)
	if err != nil {
		return err
	}
	var m archive.Manifest
	for _, p := range f.profiles {
		set, cat, err := f.sound(ctx, bundle, p)
		if err != nil {
			return err
		}
		m = manifestOf(set, append(m.Catalogues, fields.Digest(cat)))
	}
	data, err := archive.Build(fsys, dir, m)
	if err != nil {
		return failed(err)
	}
	if f.output == "" {
		f.output = fmt.Sprintf("%s-%d.cgb", m.Name, m.Revision)
		if sameFolder(bundle, ".") {
			return usageError("%s would lie in the bundle, which could not be loaded any more: say where else with -o ../%s", f.output, f.output)
		}
	}
	if f.output == "-" {
		_, err := w.Write(data)
		return err
	}
	if err := replaceFile(f.output, data); err != nil {
		return failed(fmt.Errorf("write %s: %w", f.output, reason(err)))
	}
	a, err := archive.Open(data)
	if err != nil {
		return failed(err)
	}
	if f.asJSON {
		return writeJSON(w, buildDoc{f.output, a.Digest(), len(data), &a.Manifest})
	}
	fmt.Fprintf(w, "%s: %s revision %d, %s, %s, %d bytes, sha256 %s\n", f.output, m.Name, m.Revision, plural(m.Rules, "rule"), plural(m.Tests, "test"), len(data), a.Digest())
	return nil
}

// sameFolder reports whether two names are of one folder.
func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// sound loads the bundle for a profile and refuses what must not be shipped.
func (f *buildFlags) sound(ctx context.Context, bundle, profile string) (*rules.Set, *vehicle.Catalog, error) {
	rf := ruleFlags{profile: profile}
	set, cat, err := rf.load(bundle)
	if ps := (vehicle.Problems)(nil); errors.As(err, &ps) {
		return nil, nil, findingsError("%w", err)
	}
	if err != nil {
		return nil, nil, err
	}
	var but []string
	if f.untested {
		but = []string{"inert"} // which plays the tests
	}
	if err := certain(set, cat, but...).Err(); err != nil {
		return nil, nil, findingsError("%w", err)
	}
	if f.untested {
		return set, cat, nil
	}
	files, file := findProfile(rf.profileName(bundle))
	floor, err := proof.LoadFloor(files, path.Dir(file), cat)
	if err != nil {
		return nil, nil, failed(err)
	}
	if _, err := proof.Run(ctx, set, cat, judge.Judge{}, floor); err != nil {
		return nil, nil, findingsError("%s: %w", bundle, err)
	}
	return set, cat, nil
}

// manifestOf is the manifest of a loaded bundle.
func manifestOf(set *rules.Set, catalogues []string) archive.Manifest {
	m := set.Manifest
	return archive.Manifest{Name: m.Name, Revision: m.Revision, Version: m.Version, Description: m.Description, MinDaemon: m.MinDaemon,
		MaxDaemon: m.MaxDaemon, Hardware: m.Hardware, Languages: m.Languages, Catalogues: catalogues, Rules: len(set.Rules), Tests: len(set.Cases)}
}

// replaceFile writes a file as a whole or not at all.
func replaceFile(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
