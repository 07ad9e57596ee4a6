// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// DefaultMinFree is how many bytes of its disk a store leaves free: room for what
// Badger writes on its own after a batch (a table of a full memtable, a compaction
// of its levels), which must not find the disk full: it maps its files, and a page
// that cannot be written then ends the process.
const DefaultMinFree = 32 << 20

// FreeSpace returns the bytes that an ordinary user may still write on the disk
// of a folder, or of the nearest one above it that exists.
func FreeSpace(dir string) (int64, error) {
	for {
		var st unix.Statfs_t
		err := unix.Statfs(dir, &st)
		if err == nil {
			return int64(st.Bavail) * int64(st.Bsize), nil
		}
		above := filepath.Dir(dir)
		if above == dir || !os.IsNotExist(err) {
			return 0, &fs.PathError{Op: "statfs", Path: dir, Err: err}
		}
		dir = above
	}
}

// space guards the disk's free space.
type space struct {
	dir  string
	min  int64
	free func(dir string) (int64, error)
}

func newSpace(dir string, o Options) space {
	s := space{dir: dir, min: o.MinFree, free: o.FreeSpace}
	if s.min == 0 {
		s.min = DefaultMinFree
	}
	if s.free == nil {
		s.free = FreeSpace
	}
	return s
}

// room returns an error matching [ErrNoSpace] if less than the minimum would be
// left after so many bytes.
func (s space) room(bytes int64) error { return s.least(bytes, s.min) }

// opens is room for opening a store. Half the minimum will do: what a crash left
// in Badger's logs is written into tables then.
func (s space) opens() error { return s.least(0, s.min/2) }

func (s space) least(bytes, least int64) error {
	if s.min < 0 {
		return nil
	}
	free, err := s.free(s.dir)
	if err != nil {
		return err
	}
	if free-bytes < least {
		return fmt.Errorf("%w: %d kB are free on the disk of %s, and %d kB are left alone", ErrNoSpace, free>>10, s.dir, least>>10)
	}
	return nil
}
