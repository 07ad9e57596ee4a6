// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// Folder is a repository in a folder.
type Folder struct{ dir string }

// NewFolder returns the source of a folder, which need not be there yet: a
// stick comes and goes.
func NewFolder(dir string) Folder { return Folder{dir} }

// String implements trust.Source.
func (f Folder) String() string { return f.dir }

// Fetch implements trust.Source. A link is refused wherever it leads.
func (f Folder) Fetch(ctx context.Context, name string, most int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", f.dir, pathless(err))
	}
	defer root.Close()
	at := ""
	for part := range strings.SplitSeq(name, "/") {
		at = path.Join(at, part)
		info, err := root.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: %w", name, trust.ErrNotFound)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, pathless(err))
		case !info.IsDir() && !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s: it is a link or a device, and only plain files are read", name)
		}
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, pathless(err))
	}
	defer file.Close()
	return read(file, name, most)
}

// read reads a file that has at most so many bytes.
func read(r io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("%s: %w (%d bytes)", name, trust.ErrTooLong, most)
	}
	return data, nil
}

// pathless is an error of the file system without a path that is said already.
func pathless(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
