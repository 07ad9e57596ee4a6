// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Overlay is a folder with other files laid over it. A nil content hides the
// file below.
type Overlay struct {
	Below fs.FS // nil: nothing
	Dir   string
	Files map[string][]byte // by path relative to Dir
}

// own is the content of a file that is laid over the folder.
func (o Overlay) own(name string) (data []byte, ok bool) {
	rel, in := strings.CutPrefix(name, o.Dir+"/")
	if o.Dir == "." {
		rel, in = name, true
	}
	data, ok = o.Files[rel]
	return data, ok && in
}

// Open implements fs.FS.
func (o Overlay) Open(name string) (fs.File, error) {
	data, ok := o.own(name)
	switch {
	case data != nil:
		return &overlaid{Reader: bytes.NewReader(data), name: path.Base(name), size: int64(len(data))}, nil
	case ok || o.Below == nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return o.Below.Open(name)
}

// ReadDir implements fs.ReadDirFS. A folder that only hidden files are laid
// into is there, and empty.
func (o Overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	var out []fs.DirEntry
	err := error(&fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist})
	if o.Below != nil {
		out, err = fs.ReadDir(o.Below, name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out = slices.DeleteFunc(out, func(e fs.DirEntry) bool { _, ok := o.own(path.Join(name, e.Name())); return ok })
	for rel, data := range o.Files {
		rest := path.Join(o.Dir, rel)
		if name != "." {
			var in bool
			if rest, in = strings.CutPrefix(rest, name+"/"); !in {
				continue
			}
		}
		err = nil
		first, _, deeper := strings.Cut(rest, "/")
		if data != nil && !slices.ContainsFunc(out, func(e fs.DirEntry) bool { return e.Name() == first }) {
			out = append(out, fs.FileInfoToDirEntry(&overlaid{name: first, size: int64(len(data)), dir: deeper}))
		}
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return out, err
}

// overlaid is a file of an overlay, and what is known about it.
type overlaid struct {
	*bytes.Reader
	name string
	size int64
	dir  bool
}

func (f *overlaid) Stat() (fs.FileInfo, error) { return f, nil }
func (f *overlaid) Close() error               { return nil }
func (f *overlaid) Name() string               { return f.name }
func (f *overlaid) Size() int64                { return f.size }
func (f *overlaid) ModTime() time.Time         { return time.Time{} }
func (f *overlaid) IsDir() bool                { return f.dir }
func (f *overlaid) Sys() any                   { return nil }

// Mode implements fs.FileInfo.
func (f *overlaid) Mode() fs.FileMode {
	if f.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
