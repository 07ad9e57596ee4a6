// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
)

// Usage returns the bytes that the files below dir occupy: the blocks they
// have, not their length, for Badger's logs are sparse.
func Usage(dir string) (int64, error) {
	const block = 512 // the unit of st_blocks, whatever the file system's own
	var total int64
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the engine removes files while we look
		}
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			total += int64(stat.Blocks) * block
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("measure store: %w", err)
	}
	return total, nil
}
