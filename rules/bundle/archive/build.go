// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// Limits of an archive.
const (
	MaxSize  = 8 << 20 // bytes, of the whole archive
	MaxFile  = 1 << 20 // bytes, of one member
	MaxFiles = 1000    // members
	maxName  = 100     // bytes, what a tar header holds
)

// Build packs the folder of a bundle. The manifest's format and files are filled
// in here; the rest is the caller's. The same folder and manifest always give
// the same bytes.
func Build(fsys fs.FS, dir string, m Manifest) ([]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(fsys, dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is no regular file", p)
		}
		if err := checkName(inside(dir, p)); err != nil {
			return err
		}
		data, err := fs.ReadFile(fsys, p)
		files[inside(dir, p)] = data
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("build archive: %w", err)
	}
	m.Format, m.Files = Format, map[string]File{}
	for name, data := range files {
		m.Files[name] = describe(data)
	}
	data, err := pack(&m, files)
	if err == nil {
		_, err = Open(data)
	}
	if err != nil {
		return nil, fmt.Errorf("build archive: %w", err)
	}
	return data, nil
}

// inside is the name of a file in the folder.
func inside(dir, name string) string {
	if dir == "." {
		return name
	}
	return strings.TrimPrefix(name, dir+"/")
}

func describe(data []byte) File {
	sum := sha256.Sum256(data)
	return File{hex.EncodeToString(sum[:]), len(data)}
}

// pack writes the one form of an archive.
func pack(m *Manifest, files map[string][]byte) ([]byte, error) {
	head, err := m.encode()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	add := func(name string, data []byte) error {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(data)),
			ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR})
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	if err := add(ManifestName, head); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := add(name, files[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	err = w.Close()
	return b.Bytes(), err
}

// checkName refuses what is no plain name below the folder.
func checkName(name string) error {
	switch {
	case !fs.ValidPath(name) || name == "." || path.Clean(name) != name:
		return fmt.Errorf("%q is no path inside a bundle", name)
	case len(name) > maxName:
		return fmt.Errorf("%q is longer than %d bytes", name, maxName)
	case strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' || r == ':' }):
		return fmt.Errorf("%q has characters that are not allowed in a bundle: letters, digits, - _ . only", name)
	}
	return nil
}
