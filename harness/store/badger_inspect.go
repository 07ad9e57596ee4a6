// SPDX-License-Identifier: Apache-2.0

//go:build !(386 || arm || mips || mipsle || wasm)

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/dgraph-io/badger/v4"
)

// smallStore is up to how many bytes of tables are all looked at on every
// opening: 20 ms of them.
const smallStore = 16 << 20

// inspectBadger looks at Badger's files before Badger does. Badger removes every
// table its manifest does not name, and ends the process on a table it cannot
// read; both are refused here. Empty files, which a power cut leaves of those
// just created, keep Badger from opening and hold nothing: they are removed.
// (Should one have held something, the water mark tells.)
func inspectBadger(dir string, i inspection) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("inspect: %w", err)
	}
	var tables int64 // bytes
	for _, file := range files {
		info, err := file.Info()
		switch {
		case err != nil:
			return fmt.Errorf("inspect: %w", err)
		case strings.HasSuffix(file.Name(), ".sst"):
			tables += max(1, info.Size())
		case info.Size() == 0 && !i.readOnly && canDoWithout(file.Name()):
			if err := os.Remove(filepath.Join(dir, file.Name())); err != nil {
				return fmt.Errorf("inspect: %w", err)
			}
		}
	}
	i.thorough = i.thorough || tables <= smallStore
	named, err := readManifest(dir, tables > 0)
	if err != nil {
		return err
	}
	for id := range named {
		if err := inspectTable(dir, id, i.thorough); err != nil {
			return err
		}
	}
	return nil
}

// inspectTablesInUse looks at all tables of an open store. A compaction may take
// one away meanwhile.
func inspectTablesInUse(dir string) error {
	named, err := readManifest(dir, false)
	if err != nil {
		return err
	}
	for id := range named {
		if err := inspectTable(dir, id, true); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// canDoWithout says whether Badger makes a file of this name anew.
func canDoWithout(name string) bool {
	return name == badger.KeyRegistryFileName || strings.HasSuffix(name, ".mem") || strings.HasSuffix(name, ".vlog")
}

// readManifest returns the tables that the manifest names. One that is missing
// or ends in half an entry is damage as soon as there are tables: Badger appends
// an entry in one write, so half of one is hardly ever its own doing.
func readManifest(dir string, tables bool) (map[uint64]badger.TableManifest, error) {
	damage := func(reason string, err error) error {
		return &DamageError{File: badger.ManifestFilename, Reason: reason, Err: err}
	}
	f, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		if tables {
			return nil, damage("it is missing, and without it all tables would be removed", nil)
		}
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("inspect: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("inspect: %w", err)
	}
	manifest, end, err := badger.ReplayManifestFile(f, 0, badger.DefaultOptions(dir).WithLogger(nil))
	if err != nil {
		return nil, damage("it cannot be read", err)
	}
	if end < info.Size() && tables {
		return nil, damage(fmt.Sprintf("it ends in half an entry at byte %d of %d", end, info.Size()), nil)
	}
	return manifest.Tables, nil
}

// isSystem says whether Badger failed on something other than its files'
// contents. Badger flattens the errors it wraps into text.
func isSystem(err error) bool {
	for _, errno := range []syscall.Errno{
		syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EACCES, syscall.EPERM,
		syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EIO,
	} {
		if errors.Is(err, errno) || strings.Contains(err.Error(), errno.Error()) {
			return true
		}
	}
	return false
}
