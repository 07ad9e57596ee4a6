// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// maxQuarantined is how many quarantined stores are kept: a disk that damages
// them again and again must not be filled with them.
const maxQuarantined = 3

// Quarantine moves the damaged contents of the store in dir into a folder
// quarantine-N inside dir, so that the next [Open] finds an empty store, and
// returns that folder's path. The newest three such folders are kept. It returns
// an error matching [ErrLocked] while the store is open anywhere.
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
	return moved, errors.Join(syncDir(moved), forget(dir), syncDir(dir))
}

const quarantineName = "quarantine-%d"

// Quarantined returns the folders of stores that were moved aside in dir, oldest
// first.
func Quarantined(dir string) ([]string, error) {
	numbers, err := quarantined(dir)
	names := make([]string, len(numbers))
	for i, n := range numbers {
		names[i] = filepath.Join(dir, fmt.Sprintf(quarantineName, n))
	}
	return names, err
}

func quarantined(dir string) (numbers []int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		var n int
		if _, err := fmt.Sscanf(e.Name(), quarantineName, &n); err == nil && e.Name() == fmt.Sprintf(quarantineName, n) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// freeFolder makes the next quarantine folder.
func freeFolder(dir string) (string, error) {
	numbers, err := quarantined(dir)
	if err != nil {
		return "", err
	}
	next := 1
	if len(numbers) > 0 {
		next = numbers[len(numbers)-1] + 1
	}
	name := filepath.Join(dir, fmt.Sprintf(quarantineName, next))
	return name, os.Mkdir(name, 0o700)
}

// forget deletes the oldest quarantined stores beyond those that are kept.
func forget(dir string) error {
	names, err := Quarantined(dir)
	if err != nil {
		return err
	}
	for _, name := range names[:max(0, len(names)-maxQuarantined)] {
		if err := os.RemoveAll(name); err != nil {
			return fmt.Errorf("quarantine store: %w", err)
		}
	}
	return nil
}
