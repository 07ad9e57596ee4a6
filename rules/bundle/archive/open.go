// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Archive is an archive that was read and checked. It does not change.
type Archive struct {
	Manifest Manifest
	digest   string
	files    map[string][]byte
}

// Digest is the SHA-256 of the whole archive, in hex.
func (a *Archive) Digest() string { return a.digest }

// Digest is the SHA-256 that names an archive, in hex.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// ReadFile reads and checks an archive on disk. It never reads more than
// [MaxSize] bytes.
func ReadFile(name string) (*Archive, error) {
	data, err := Read(name)
	if err != nil {
		return nil, err
	}
	a, err := Open(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return a, nil
}

// Read reads the bytes of an archive without looking into them.
func Read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", name)
	case info.Size() > MaxSize:
		return nil, fmt.Errorf("%s: %w", name, errSize)
	}
	return io.ReadAll(io.LimitReader(f, MaxSize+1))
}

var errSize = fmt.Errorf("it is larger than the %d MiB that an archive may have", MaxSize>>20)

// Open checks the bytes of an archive. The error says what is wrong; it
// matches [NewerError] when the archive is for a newer daemon.
func Open(data []byte) (*Archive, error) {
	if len(data) > MaxSize {
		return nil, errSize
	}
	r := tar.NewReader(bytes.NewReader(data))
	head, err := member(r)
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("no bundle archive: it is empty")
	case errors.Is(err, tar.ErrHeader):
		return nil, errors.New("no bundle archive: it is no tar, as rules build writes it")
	case err != nil:
		return nil, fmt.Errorf("no bundle archive: %w", err)
	}
	if head.name != ManifestName {
		return nil, fmt.Errorf("no bundle archive: its first member is %s, not %s", head.name, ManifestName)
	}
	m, err := decode(head.data)
	if err != nil {
		return nil, err
	}
	a := &Archive{Manifest: *m, digest: Digest(data), files: map[string][]byte{}}
	for {
		f, err := member(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("read archive: it ends too early: it was cut off, or not copied to its end")
		}
		if err != nil {
			return nil, fmt.Errorf("read archive: %w", err)
		}
		if _, twice := a.files[f.name]; twice || f.name == ManifestName {
			return nil, fmt.Errorf("member %s is there twice", f.name)
		}
		if a.files[f.name] = f.data; len(a.files) > MaxFiles {
			return nil, fmt.Errorf("it has more than %d members", MaxFiles)
		}
	}
	return a, a.complete(data)
}

// complete compares members and manifest, and the archive with its one form.
func (a *Archive) complete(data []byte) error {
	for name, f := range a.files {
		want, ok := a.Manifest.Files[name]
		switch {
		case !ok:
			return fmt.Errorf("member %s is not in the manifest", name)
		case describe(f) != want:
			return fmt.Errorf("member %s is not what the manifest says", name)
		}
	}
	for name := range a.Manifest.Files {
		if _, ok := a.files[name]; !ok {
			return fmt.Errorf("member %s of the manifest is missing", name)
		}
	}
	if again, err := pack(&a.Manifest, a.files); err != nil || !bytes.Equal(again, data) {
		return errors.New("the archive is not written in its one form: it was not built by rules build, or something was added to it")
	}
	return nil
}

type memberFile struct {
	name string
	data []byte
}

// member reads the next member. What is no plain small file is refused before
// a byte of it is read.
func member(r *tar.Reader) (memberFile, error) {
	h, err := r.Next()
	if err != nil {
		return memberFile{}, err
	}
	switch {
	case h.Typeflag != tar.TypeReg || h.Linkname != "":
		return memberFile{}, fmt.Errorf("member %q is no plain file", h.Name)
	case h.Format != tar.FormatUSTAR:
		return memberFile{}, fmt.Errorf("member %q is not written as rules build writes it", h.Name)
	case h.Size > MaxFile:
		return memberFile{}, fmt.Errorf("member %q has %d bytes, more than %d", h.Name, h.Size, MaxFile)
	}
	if err := checkName(h.Name); err != nil {
		return memberFile{}, err
	}
	data := make([]byte, h.Size)
	_, err = io.ReadFull(r, data)
	return memberFile{h.Name, data}, err
}

// Names lists the files of the bundle, without the manifest, by name.
func (a *Archive) Names() []string { return sortedNames(a.files) }

// FS is the folder that the archive was built from, at a path, which becomes
// part of every name: so that places in messages begin with the archive's own
// name.
func (a *Archive) FS(at string) fs.FS { return tree{at, a.files} }
