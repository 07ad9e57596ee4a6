// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Quarantine moves the damaged contents of the store in dir into a folder
// quarantine-N inside dir, so that the next [Open] finds an empty store, and
// returns that folder's path. It deletes nothing. It returns an error matching
// [ErrLocked] while the store is open anywhere.
func Quarantine(dir string) (moved string, err error) {
	held, err := lock(dir, false)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	if moved, err = freeFolder(dir); err != nil {
		return "", fmt.Errorf("quarantine store: %w", err)
	}
	// The mark of the openings goes last: until then the store counts as damaged.
	for _, name := range []string{badgerFolder, boltFolder, markFile, runningFile, openingFile} {
		err := os.Rename(filepath.Join(dir, name), filepath.Join(moved, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("quarantine store: %w", err)
		}
	}
	return moved, errors.Join(syncDir(moved), syncDir(dir))
}

// freeFolder makes the first quarantine folder that is not there yet.
func freeFolder(dir string) (string, error) {
	for n := 1; ; n++ {
		name := filepath.Join(dir, fmt.Sprintf("quarantine-%d", n))
		err := os.Mkdir(name, 0o700)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
}
