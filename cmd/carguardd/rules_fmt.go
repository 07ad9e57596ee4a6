// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/format"
)

type fmtFlags struct {
	write, diff, check bool
}

func newRulesFmt() *cobra.Command {
	var f fmtFlags
	cmd := &cobra.Command{
		Use:   "fmt [-w] [-d] [--check] PATH...",
		Short: "lay the files of bundles out in the one way",
		Long: "Prints the files laid out: canonical order of keys, one layout, comments kept.\n" +
			"PATH is a file, a bundle (all its YAML files) or - for standard input. What a\n" +
			"file says never changes.",
		Example: "  carguardd rules fmt -w my-bundle\n  carguardd rules fmt --check my-bundle",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fl := cmd.Flags()
	fl.BoolVarP(&f.write, "write", "w", false, "write the files instead of printing them")
	fl.BoolVarP(&f.diff, "diff", "d", false, "print what would change")
	fl.BoolVar(&f.check, "check", false, "only list the files that would change, and exit with 3 when there are any")
	return cmd
}

func (f *fmtFlags) run(cmd *cobra.Command, args []string) error {
	changed := 0
	for _, arg := range args {
		files, fsys, err := f.files(arg)
		if err != nil {
			return err
		}
		for _, name := range files {
			data, err := read(fsys, name, cmd.InOrStdin())
			if err != nil {
				return failed(err)
			}
			out, err := format.Source(name, data)
			if err != nil {
				return failed(err)
			}
			if !bytes.Equal(out, data) {
				changed++
			}
			if err := f.put(cmd.OutOrStdout(), name, data, out); err != nil {
				return failed(err)
			}
		}
	}
	if f.check && changed > 0 {
		return findingsError("%s not laid out", plural(changed, "file"))
	}
	return nil
}

// put does with a file what the flags say.
func (f *fmtFlags) put(w io.Writer, name string, data, out []byte) error {
	same := bytes.Equal(data, out)
	if f.check && !same {
		fmt.Fprintln(w, name)
	}
	if f.diff && !same {
		if _, err := w.Write(diff.Diff(name, data, name+" (laid out)", out)); err != nil {
			return err
		}
	}
	switch {
	case f.write && !same && name != "-":
		return replace(name, out)
	case !f.write && !f.diff && !f.check, f.write && name == "-":
		_, err := w.Write(out)
		return err
	}
	return nil
}

// files are those that an argument means.
func (f *fmtFlags) files(arg string) ([]string, fs.FS, error) {
	if arg == "-" {
		return []string{"-"}, nil, nil
	}
	fsys, dir, err := placeOfFiles(arg)
	if err != nil {
		return nil, nil, err
	}
	if _, host := fsys.(hostFS); !host && f.write {
		return nil, nil, usageError("%s is part of the program and cannot be written", arg)
	}
	info, err := fs.Stat(fsys, dir)
	if err != nil {
		return nil, nil, failed(err)
	}
	if !info.IsDir() {
		return []string{dir}, fsys, nil
	}
	var out []string
	for _, pattern := range []string{"manifest.yaml", "lexicon/*.yaml", "rules/*.yaml"} {
		names, err := fs.Glob(fsys, path.Join(dir, pattern))
		if err != nil {
			return nil, nil, failed(err)
		}
		out = append(out, names...)
	}
	if out == nil {
		return nil, nil, failed(fmt.Errorf("%s: no manifest.yaml, no rules and no lexicon: this is no bundle", arg))
	}
	return out, fsys, nil
}

func read(fsys fs.FS, name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return fs.ReadFile(fsys, name)
}

// replace writes a file as a whole or not at all, with the rights it has. A link
// to it stays one.
func replace(name string, data []byte) error {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	for _, step := range []func() error{func() error { return tmp.Chmod(info.Mode().Perm()) }, tmp.Sync} {
		if err == nil {
			err = step()
		}
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
