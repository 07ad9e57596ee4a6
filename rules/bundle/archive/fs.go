// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// tree is a read-only folder in memory, mounted at a path.
type tree struct {
	at    string
	files map[string][]byte
}

func sortedNames(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }

// Open implements [fs.FS].
func (t tree) Open(name string) (fs.File, error) {
	in := inside(t.at, name)
	if data, ok := t.files[in]; ok {
		return &file{entry{path.Base(name), int64(len(data)), false}, bytes.NewReader(data)}, nil
	}
	if name == t.at {
		in = "."
	}
	if entries := t.entries(in); in == "." || len(entries) > 0 {
		return &folder{entry{path.Base(name), 0, true}, entries}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// entries lists a folder by name.
func (t tree) entries(dir string) []fs.DirEntry {
	var out []fs.DirEntry
	for _, name := range sortedNames(t.files) {
		rest := name
		if dir != "." {
			var ok bool
			if rest, ok = strings.CutPrefix(name, dir+"/"); !ok {
				continue
			}
		}
		first, _, deeper := strings.Cut(rest, "/")
		if n := len(out); n > 0 && out[n-1].Name() == first {
			continue
		}
		e := entry{name: first, dir: deeper}
		if !deeper {
			e.size = int64(len(t.files[name]))
		}
		out = append(out, e)
	}
	return out
}

// entry describes a file or folder; it is its own [fs.FileInfo].
type entry struct {
	name string
	size int64
	dir  bool
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) IsDir() bool                { return e.dir }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

type file struct {
	entry
	*bytes.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *file) Close() error               { return nil }
func (f *file) Size() int64                { return f.entry.size }

type folder struct {
	entry
	rest []fs.DirEntry
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *folder) Close() error               { return nil }
func (f *folder) Read([]byte) (int, error)   { return 0, errors.New("it is a folder") }

// ReadDir implements [fs.ReadDirFile].
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(f.rest) {
		if n > 0 && len(f.rest) == 0 {
			return nil, io.EOF
		}
		n = len(f.rest)
	}
	out := f.rest[:n]
	f.rest = f.rest[n:]
	return out, nil
}
