// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// compactFolder is where Compact writes, inside the store's directory.
const compactFolder = "compact"

// Copy writes all entries of one store into another, and returns how many those
// are.
func Copy(ctx context.Context, to, from Store) (entries int, err error) {
	var ops []Op
	size := 0
	flush := func() error {
		err := to.Batch(ops...)
		entries += len(ops)
		ops, size = ops[:0], 0
		return err
	}
	for entry, err := range from.Scan(Range{}) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return entries, fmt.Errorf("copy store: %w", err)
		}
		bytes := len(entry.Key) + len(entry.Value)
		if len(ops) == MaxOps || size+bytes > MaxBatch {
			if err := flush(); err != nil {
				return entries, fmt.Errorf("copy store: %w", err)
			}
		}
		ops, size = append(ops, Set(entry.Key, entry.Value)), size+bytes
	}
	if err := errors.Join(flush(), to.Sync()); err != nil {
		return entries, fmt.Errorf("copy store: %w", err)
	}
	return entries, nil
}

// Compact writes the store in dir, which nobody has open, anew, without what was
// deleted and overwritten, and encrypts it with key; nil leaves it plain. Options
// say how the store is to be read. It needs as much free space as the store takes.
// Until everything is on the disk the old files are what counts, and after an error
// or a power cut they still are; then the two change places in one step.
func Compact(ctx context.Context, dir string, o Options, key []byte) error {
	return compact(ctx, dir, o, key, native)
}

func compact(ctx context.Context, dir string, o Options, key []byte, k kind) (err error) {
	o.ReadOnly = false
	old, err := open(dir, o, k)
	if err != nil {
		return err
	}
	from := old.(*disk)
	fresh := filepath.Join(dir, compactFolder)
	defer func() { err = errors.Join(err, os.RemoveAll(fresh)) }()
	if err := fill(ctx, fresh, from, o, key, k); err != nil {
		return errors.Join(err, from.Close())
	}
	// The engine is closed while the lock is still held: nobody gets in between.
	if err := from.closeEngine(); err != nil {
		return errors.Join(err, from.release())
	}
	if err := unix.Renameat2(unix.AT_FDCWD, filepath.Join(fresh, k.name), unix.AT_FDCWD, filepath.Join(dir, k.name), unix.RENAME_EXCHANGE); err != nil {
		return errors.Join(fmt.Errorf("compact store: exchange %s: %w", k.name, err), from.release())
	}
	return errors.Join(syncDir(fresh), syncDir(dir), from.release())
}

// fill makes a fresh store with all that another has.
func fill(ctx context.Context, dir string, from *disk, o Options, key []byte, k kind) (err error) {
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("compact store: %w", err)
	}
	o.Key = key
	s, err := open(dir, o, k)
	if err != nil {
		return err
	}
	to := s.(*disk)
	defer func() { err = errors.Join(err, to.Close()) }()
	// Generations go on, so that the water mark holds for both.
	to.generation = from.generation
	entries, err := Copy(ctx, to, from)
	if err != nil {
		return err
	}
	got := 0
	for _, err := range to.Scan(Range{}) {
		if err != nil {
			return fmt.Errorf("compact store: %w", err)
		}
		got++
	}
	if got != entries {
		return fmt.Errorf("compact store: %d of %d entries were written", got, entries)
	}
	return nil
}

// Backup writes a copy of the store in dir, which nobody has open for writing, to
// a new directory, with the same key. The copy is a store itself.
func Backup(ctx context.Context, dir, to string, o Options) (entries int, err error) {
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("backup store: %s is there already", to)
	}
	o.ReadOnly = true
	from, err := Open(dir, o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	o.ReadOnly = false
	s, err := Open(to, o)
	if err != nil {
		return 0, err
	}
	entries, err = Copy(ctx, s, from)
	if err = errors.Join(err, s.Close()); err != nil {
		err = errors.Join(err, os.RemoveAll(to))
	}
	return entries, err
}
