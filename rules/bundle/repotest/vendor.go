// SPDX-License-Identifier: Apache-2.0

package repotest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/repo"
	"github.com/carguardd/carguardd/rules/bundle/source"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// Start is the time at which a vendor's clock begins.
var Start = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// Vendor is a repository under test.
type Vendor struct {
	*repo.Repo
	Dir string
	Now time.Time

	t testing.TB
}

// New makes a repository at [Start].
func New(t testing.TB) *Vendor { t.Helper(); return NewAt(t, Start) }

// NewAt makes a repository at a time: that of the clock, for units that have no
// other.
func NewAt(t testing.TB, now time.Time) *Vendor {
	t.Helper()
	v := &Vendor{t: t, Dir: filepath.Join(t.TempDir(), "vendor"), Now: now}
	var err error
	if v.Repo, err = repo.Init(v.options()); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *Vendor) options() repo.Options {
	return repo.Options{Dir: v.Dir, Now: func() time.Time { return v.Now }, Random: rand.Reader}
}

// Root is the root that cars of today are given.
func (v *Vendor) Root() []byte { return v.read(v.RootFile()) }

func (v *Vendor) read(file string) []byte {
	v.t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		v.t.Fatal(err)
	}
	return data
}

// Source is the public folder.
func (v *Vendor) Source() trust.Source { return source.NewFolder(v.Public()) }

// Public is the path of the public folder, or of something in it.
func (v *Vendor) Public(names ...string) string {
	return filepath.Join(append([]string{v.Dir, "public"}, names...)...)
}

// Publish adds archives and publishes them.
func (v *Vendor) Publish(archives ...[]byte) {
	v.t.Helper()
	for i, data := range archives {
		file := filepath.Join(v.t.TempDir(), fmt.Sprintf("%d.cgb", i))
		if err := os.WriteFile(file, data, 0o644); err != nil {
			v.t.Fatal(err)
		}
		if _, err := v.Add(file); err != nil {
			v.t.Fatal(err)
		}
	}
	if _, err := v.Repo.Publish(); err != nil {
		v.t.Fatal(err)
	}
}

// Reopen reads the repository from its files, after they were changed by hand.
func (v *Vendor) Reopen() {
	v.t.Helper()
	var err error
	if v.Repo, err = repo.Open(v.options()); err != nil {
		v.t.Fatal(err)
	}
}

// Copy copies the public folder as it is now, as onto a stick.
func (v *Vendor) Copy() string {
	v.t.Helper()
	dir := filepath.Join(v.t.TempDir(), "stick")
	if err := os.CopyFS(dir, os.DirFS(v.Public())); err != nil {
		v.t.Fatal(err)
	}
	return dir
}

// Change rewrites a file.
func (v *Vendor) Change(file string, change func([]byte) []byte) {
	v.t.Helper()
	if err := os.WriteFile(file, change(v.read(file)), 0o644); err != nil {
		v.t.Fatal(err)
	}
}

// Target is the path of the only file of a bundle in targets/.
func (v *Vendor) Target(name string, revision int) string {
	v.t.Helper()
	found, err := filepath.Glob(v.Public("targets", fmt.Sprintf("*.%s-%d.cgb", name, revision)))
	if err != nil || len(found) != 1 {
		v.t.Fatalf("targets of %s-%d: %v, %v", name, revision, found, err)
	}
	return found[0]
}

// Text is an archive of one file, whose rules are none: enough for tests of
// trust.
func Text(t testing.TB, name string, revision int) []byte {
	t.Helper()
	data, err := archive.Build(one{[]byte(fmt.Sprintf("%s %d\n", name, revision))}, ".", archive.Manifest{Name: name, Revision: revision,
		Languages: []string{"en"}, Catalogues: []string{"none"}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// one is a file system of one file.
type one struct{ data []byte }

func (o one) Open(name string) (fs.File, error) {
	dir := name == "."
	if !dir && name != "policy.md" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &oneFile{o.data, dir}, nil
}

type oneFile struct {
	data []byte
	dir  bool
}

func (f *oneFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *oneFile) Close() error               { return nil }
func (f *oneFile) Read(b []byte) (int, error) {
	if f.dir {
		return 0, errors.New("it is a folder")
	}
	if len(f.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b, f.data)
	f.data = f.data[n:]
	return n, nil
}
func (f *oneFile) ReadDir(int) ([]fs.DirEntry, error) {
	return []fs.DirEntry{fs.FileInfoToDirEntry(&oneFile{f.data, false})}, nil
}
func (f *oneFile) Size() int64        { return int64(len(f.data)) }
func (f *oneFile) IsDir() bool        { return f.dir }
func (f *oneFile) ModTime() time.Time { return time.Time{} }
func (f *oneFile) Sys() any           { return nil }
func (f *oneFile) Name() string {
	if f.dir {
		return "."
	}
	return "policy.md"
}
func (f *oneFile) Mode() fs.FileMode {
	if f.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
