// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// runningFile is there while a store is open for writing, and after a stop
// without a Close. The next opening then looks at all data first: Badger reads
// damaged tables in goroutines of its own, where they end the process, start
// after start.
const runningFile = "running"

// WasRunning says whether the store in dir is open for writing, or was left without
// a Close: it cannot be opened for reading then.
func WasRunning(dir string) bool {
	was, err := wasRunning(dir)
	return was && err == nil
}

// wasRunning says whether the store was left without a Close.
func wasRunning(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, runningFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("open store: %w", err)
	}
	return true, nil
}

func markRunning(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, runningFile), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	return f.Close()
}

func unmarkRunning(dir string) error {
	if err := os.Remove(filepath.Join(dir, runningFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}
