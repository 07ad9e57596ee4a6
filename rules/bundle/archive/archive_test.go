// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func sample() fstest.MapFS {
	return fstest.MapFS{
		"b/manifest.yaml":      {Data: []byte("name: small\n")},
		"b/policy.md":          {Data: []byte("# Policy\n"), ModTime: time.Now(), Mode: 0o600},
		"b/rules/a.yaml":       {Data: []byte("rules: []\n")},
		"b/rules/a_test.yaml":  {Data: []byte("tests: []\n")},
		"b/lexicon/en.yaml":    {Data: []byte("words: {}\n")},
		"b/workflows/one.yaml": {Data: []byte("later: true\n")},
	}
}

func manifest() Manifest {
	return Manifest{Name: "small", Revision: 3, Languages: []string{"en"}, Catalogues: []string{strings.Repeat("a", 64)}, Hardware: []string{"hu-2"}}
}

func build(t testing.TB) []byte {
	t.Helper()
	data, err := Build(sample(), "b", manifest())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The same folder gives the same bytes, wherever it lies and whatever its
// files' times and modes are.
func TestBuildIsDeterministic(t *testing.T) {
	want := build(t)
	dir := t.TempDir()
	for name, f := range sample() {
		at := filepath.Join(dir, strings.TrimPrefix(name, "b/"))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, f.Data, 0o640)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Build(os.DirFS(dir), ".", manifest())
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("another place gives other bytes (%v)", err)
	}
	a, err := Open(want)
	if err != nil {
		t.Fatal(err)
	}
	// An archive built from an archive is the same one.
	if again, err := Build(a.FS("x.cgb"), "x.cgb", manifest()); err != nil || !bytes.Equal(again, want) {
		t.Errorf("what is in it does not build the same again (%v)", err)
	}
}

func TestFS(t *testing.T) {
	a, err := Open(build(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(a.FS("."), "manifest.yaml", "policy.md", "rules/a.yaml", "rules/a_test.yaml", "lexicon/en.yaml", "workflows/one.yaml"); err != nil {
		t.Error(err)
	}
	at := a.FS("some/x.cgb")
	data, err := fs.ReadFile(at, "some/x.cgb/rules/a.yaml")
	if err != nil || string(data) != "rules: []\n" {
		t.Errorf("read %q, %v", data, err)
	}
	entries, err := fs.ReadDir(at, "some/x.cgb")
	if err != nil || len(entries) != 5 {
		t.Errorf("entries %v, %v", entries, err)
	}
	for _, name := range []string{"some/x.cgb/" + ManifestName, "other", "some/x.cgb/rul"} {
		if _, err := at.Open(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("open %s: %v", name, err)
		}
	}
}

// raw writes a tar of the given headers, whose manifest fits what it can.
func raw(t *testing.T, change func(m *Manifest), members ...tar.Header) []byte {
	t.Helper()
	m := manifest()
	m.Format, m.Files = Format, map[string]File{}
	for _, h := range members {
		m.Files[h.Name] = describe(make([]byte, h.Size))
	}
	change(&m)
	head, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	write := func(h tar.Header, data []byte) {
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		h.Mode, h.ModTime = 0o644, time.Unix(0, 0)
		if h.Format == 0 {
			h.Format = tar.FormatUSTAR
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	write(tar.Header{Name: ManifestName, Size: int64(len(head))}, head)
	for _, h := range members {
		write(h, make([]byte, h.Size))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestOpenRefuses(t *testing.T) {
	nothing := func(*Manifest) {}
	many := make([]tar.Header, MaxFiles+1)
	for i := range many {
		many[i].Name = "rules/" + strings.Repeat("a", i%40+1) + string(rune('a'+i/40)) + ".yaml"
	}
	good := build(t)
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"nothing", "no bundle archive: it is empty", nil},
		{"text", "no bundle archive: it is no tar", []byte(strings.Repeat("what is this? ", 100))},
		{"cut", "read archive: it ends too early", good[:len(good)-2000]},
		{"something after the end", "one form", append(bytes.Clone(good), make([]byte, 512)...)},
		{"hidden after the end", "one form", append(bytes.Clone(good), good...)},
		{"a path that leaves", "no path inside a bundle", raw(t, nothing, tar.Header{Name: "../../etc/passwd", Size: 3})},
		{"an absolute path", "no path inside a bundle", raw(t, nothing, tar.Header{Name: "/etc/passwd", Size: 3})},
		{"a path in between", "no path inside a bundle", raw(t, nothing, tar.Header{Name: "rules/../../x", Size: 3})},
		{"a backslash", "characters that are not allowed", raw(t, nothing, tar.Header{Name: `rules\x.yaml`, Size: 3})},
		{"a symbolic link", "no plain file", raw(t, nothing, tar.Header{Name: "rules/x", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"})},
		{"a hard link", "no plain file", raw(t, nothing, tar.Header{Name: "rules/x", Typeflag: tar.TypeLink, Linkname: "policy.md"})},
		{"a device", "no plain file", raw(t, nothing, tar.Header{Name: "rules/x", Typeflag: tar.TypeChar})},
		{"a folder", "no plain file", raw(t, nothing, tar.Header{Name: "rules/", Typeflag: tar.TypeDir})},
		{"an extended header", "not written as rules build writes it", raw(t, nothing, tar.Header{Name: "rules/x", Format: tar.FormatPAX, PAXRecords: map[string]string{"comment": "x"}})},
		{"the same member twice", "twice", raw(t, nothing, tar.Header{Name: "policy.md", Size: 3}, tar.Header{Name: "policy.md", Size: 3})},
		{"a second manifest", "twice", raw(t, nothing, tar.Header{Name: ManifestName, Size: 3})},
		{"too large a member", "more than", raw(t, nothing, tar.Header{Name: "policy.md", Size: MaxFile + 1})},
		{"too many members", "more than 1000 members", raw(t, nothing, many...)},
		{"too large an archive", "larger than the 8 MiB", make([]byte, MaxSize+1)},
		{"not in order", "one form", raw(t, nothing, tar.Header{Name: "rules/b.yaml", Size: 1}, tar.Header{Name: "rules/a.yaml", Size: 1})},
		{"a file left out", "of the manifest is missing", raw(t, func(m *Manifest) { m.Files["policy.md"] = File{} })},
		{"a file added", "not in the manifest", raw(t, func(m *Manifest) { delete(m.Files, "policy.md") }, tar.Header{Name: "policy.md", Size: 1})},
		{"a file changed", "not what the manifest says", raw(t, func(m *Manifest) { m.Files["policy.md"] = File{Length: 1} }, tar.Header{Name: "policy.md", Size: 1})},
		{"no revision", "revision 0", raw(t, func(m *Manifest) { m.Revision = 0 })},
		{"no catalogue", "names no tool catalogue", raw(t, func(m *Manifest) { m.Catalogues = nil })},
		{"no name", "no bundle name", raw(t, func(m *Manifest) { m.Name = "" })},
		{"a name that is a path", "no bundle name", raw(t, func(m *Manifest) { m.Name = "../x" })},
		{"an older format", "format 0", raw(t, func(m *Manifest) { m.Format = 0 })},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Open(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	var newer *NewerError
	if _, err := Open(raw(t, func(m *Manifest) { m.Format = 2 })); !errors.As(err, &newer) || newer.Format != 2 {
		t.Errorf("a newer format: %v", err)
	}
}

func TestBuildRefuses(t *testing.T) {
	link := sample()
	link["b/rules/l.yaml"] = &fstest.MapFile{Data: []byte("a.yaml"), Mode: fs.ModeSymlink}
	long := sample()
	long["b/rules/"+strings.Repeat("x", 120)+".yaml"] = &fstest.MapFile{}
	space := sample()
	space["b/rules/a b.yaml"] = &fstest.MapFile{}
	big := sample()
	big["b/policy.md"] = &fstest.MapFile{Data: make([]byte, MaxFile+1)}
	for _, c := range []struct {
		name string
		fs   fstest.MapFS
		want string
	}{{"link", link, "no regular file"}, {"long name", long, "bytes"}, {"space", space, "not allowed"}, {"big", big, "more than"}} {
		if _, err := Build(c.fs, "b", manifest()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.cgb")
	if err := os.WriteFile(name, build(t), 0o644); err != nil {
		t.Fatal(err)
	}
	a, err := ReadFile(name)
	if err != nil || a.Manifest.Name != "small" || a.Digest() != Digest(build(t)) || len(a.Names()) != 6 {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := ReadFile(dir); err == nil {
		t.Error("a folder is read")
	}
	if err := os.Truncate(name, MaxSize+1); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(name); !errors.Is(err, errSize) {
		t.Errorf("a large file: %v", err)
	}
}

// FuzzOpen looks for bytes that are taken for an archive without being what
// Build writes, and for any that end the process.
func FuzzOpen(f *testing.F) {
	f.Add(build(f))
	f.Add([]byte{})
	f.Add(build(f)[:700])
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Open(data)
		if err != nil {
			return
		}
		again, err := Build(a.FS("."), ".", a.Manifest)
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("taken, but built anew it is another one (%v)", err)
		}
	})
}
