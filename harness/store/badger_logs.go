// SPDX-License-Identifier: Apache-2.0

//go:build !(386 || arm || mips || mipsle || wasm)

package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// logSyncer syncs the write-ahead logs that Badger's own Sync leaves out: it
// syncs the log that is being written, not the one that was full a moment ago
// and is still on its way into a table, and not the name of a new one.
type logSyncer struct {
	dir    string
	newest string // the newest log whose name is on the disk
}

func (l *logSyncer) sync() error {
	logs, err := filepath.Glob(filepath.Join(l.dir, "*.mem"))
	if err != nil || len(logs) == 0 {
		return err
	}
	last := len(logs) - 1 // names are numbers of equal length, so this is the one in use
	for _, name := range logs[:last] {
		if err := syncFile(name); err != nil {
			return err
		}
	}
	if logs[last] == l.newest {
		return nil
	}
	if err := syncDir(l.dir); err != nil {
		return err
	}
	l.newest = logs[last]
	return nil
}

// syncFile syncs a file by name. Its absence is fine: what it held is in a table
// then, which Badger syncs before it removes the log.
func syncFile(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
