// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/rules/format"
	"github.com/carguardd/carguardd/vehicle"
)

// target is the bundle that compiled rules go into.
type target struct {
	below fs.FS // nil: the bundle is made
	dir   string
	files map[string][]byte // what is laid over it: a new policy, a new manifest
}

func (f *compileFlags) target(bundle string, stdin io.Reader) (*target, error) {
	fsys, dir, err := placeToBe(bundle)
	if err != nil {
		return nil, err
	}
	if _, host := fsys.(hostFS); !host && !f.dry {
		return nil, usageError("%s cannot be written; --dry-run shows what would be", bundle)
	}
	t := &target{below: fsys, dir: dir, files: map[string][]byte{}}
	if f.policy != "" {
		text, err := readPolicy(f.policy, stdin)
		if err != nil {
			return nil, failed(err)
		}
		t.files["policy.md"] = text
	}
	_, err = fs.Stat(fsys, path.Join(dir, "manifest.yaml"))
	switch {
	case err == nil:
		return t, t.reviewed()
	case !errors.Is(err, fs.ErrNotExist) || f.policy == "":
		return nil, failed(fmt.Errorf("%s: no bundle: it has no manifest.yaml (--policy makes a new one)", bundle))
	}
	if entries, err := fs.ReadDir(fsys, dir); err == nil && len(entries) > 0 {
		return nil, failed(fmt.Errorf("%s: the folder is not empty and no bundle", bundle))
	}
	name := strings.Map(func(r rune) rune {
		if rules.IsID(string(r)) {
			return r
		}
		return '-'
	}, path.Base(dir))
	manifest := fmt.Appendf(nil, "name: %s\nrevision: 1\nlanguages: [en]\n", vehicle.TextOf(name).AppendJSON(nil))
	if manifest, err = format.Source("manifest.yaml", manifest); err != nil {
		return nil, failed(err)
	}
	t.below, t.files["manifest.yaml"] = nil, manifest
	return t, nil
}

func readPolicy(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}

// reviewed refuses to write over rules that somebody has taken over and left
// in the file of the compiled ones.
func (t *target) reviewed() error {
	file := path.Join(t.dir, compile.File)
	data, err := fs.ReadFile(t.below, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return failed(err)
	}
	n, ps := vehicle.ParseYAML(file, data)
	if err := ps.Err(); err != nil {
		return failed(err)
	}
	if n.Kind != vehicle.Object || n.Member("rules") == nil {
		return nil
	}
	for _, r := range n.Member("rules").Items {
		if r.Kind != vehicle.Object || r.Member("origin") == nil || r.Member("origin").Scalar.String() != "compiled" {
			return failed(fmt.Errorf("%s: a rule without origin: compiled; move it to a file of its own, this one is written anew", r.Pos))
		}
	}
	return nil
}

// write puts the files into the bundle. A bundle that is made appears as a
// whole. In one that is there the compiled rules go first and come last, so
// that whatever ends the program it is left with rules that load.
func (t *target) write(files map[string][]byte) error {
	all := map[string][]byte{}
	for _, m := range []map[string][]byte{t.files, files} {
		for name, data := range m {
			if data != nil {
				all[name] = data
			}
		}
	}
	dir := filepath.FromSlash(t.dir)
	if t.below == nil {
		return writeNew(dir, all)
	}
	compiled := filepath.Join(dir, filepath.FromSlash(compile.File))
	if err := os.Remove(compiled); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	last := all[compile.File]
	delete(all, compile.File)
	if err := writeAll(dir, all); err != nil || last == nil {
		return err
	}
	return writeAll(dir, map[string][]byte{compile.File: last})
}

func writeNew(dir string, files map[string][]byte) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(parent, "."+filepath.Base(dir)+"-*")
	if err != nil {
		return err
	}
	err = os.Chmod(tmp, 0o755)
	if err == nil {
		err = os.MkdirAll(filepath.Join(tmp, "rules"), 0o755)
	}
	if err == nil {
		err = writeAll(tmp, files)
	}
	if err == nil {
		err = os.Rename(tmp, dir) // an empty folder of that name gives way
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	return nil
}

func writeAll(dir string, files map[string][]byte) error {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := compile.Replace(file, files[name]); err != nil {
			return err
		}
	}
	return nil
}
