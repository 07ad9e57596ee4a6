// SPDX-License-Identifier: Apache-2.0

//go:build !(386 || arm || mips || mipsle || wasm)

package store

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// Badger loses keys on 32-bit machines without an error. This constant does not
// fit an int there, so a build whose tags let the file through ends here.
const _ int = 1 << 32

// badgerSpace is put in front of every key, out of the way of the keys that
// Badger keeps for itself ("!badger!...").
const badgerSpace = 'k'

var (
	native       = badgerKind
	badgerKind   = kind{name: badgerFolder, inspect: inspectBadger, start: startBadger}
	badgerBefore = []byte{badgerSpace}     // at or before every key of ours
	badgerAfter  = []byte{badgerSpace + 1} // after every key of ours
)

// OpenBadger opens the store in dir with Badger. It is what [Open] does on
// 64-bit machines; it does not exist elsewhere.
func OpenBadger(dir string, o Options) (Store, error) { return open(dir, o, badgerKind) }

// badgerEngine is the engine of 64-bit machines.
type badgerEngine struct {
	db   *badger.DB
	dir  string
	logs logSyncer
	room space
	// wrote says that something has been written since the opening: a table is made
	// of it at the end.
	wrote bool
	// failed is the first failure of a write or a sync. What the log holds after
	// one is not known any more, so nothing is written behind it.
	failed error
}

// badgerOptions are the settings for a head unit: 10,000 turns of 6 kB, written
// as fast as a disk syncs them, take a process from 12 MB to 45 MB and leave 12
// MB of files, where the defaults map a file of 2 GB. Everything that a batch may
// hold stays in the tree, so the value log stays empty and needs no collector; a
// batch is at most 15 % of the memtable. Blocks are neither compressed nor
// verified by Badger, see seal.
func badgerOptions(dir string, o Options) badger.Options {
	memtable := int64(4 << 20)
	if o.Key != nil {
		memtable = 5 << 20 // nonces and tags of a batch
	}
	return badger.DefaultOptions(dir).
		WithReadOnly(o.ReadOnly).
		WithSyncWrites(o.Sync == SyncAlways).
		WithLogger(engineLogger{o.Logger}).
		WithMetricsEnabled(false).
		WithDetectConflicts(false). // batches read nothing
		WithMemTableSize(memtable).
		WithNumMemtables(2).
		WithBaseTableSize(512 << 10). // a table is built in memory of twice its size, of which Badger keeps eight.
		WithNumLevelZeroTables(2).
		WithNumLevelZeroTablesStall(4).
		WithNumCompactors(2).
		WithCompactL0OnClose(true).
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithIndexCacheSize(0).
		WithValueThreshold(MaxBatch + 64<<10).
		WithValueLogFileSize(16 << 20)
}

func startBadger(dir string, o Options) (engine, error) {
	db, err := badger.Open(badgerOptions(dir, o))
	switch {
	case err == nil:
	// Badger flattens errors into text.
	case strings.Contains(err.Error(), badger.ErrTruncateNeeded.Error()):
		return nil, fmt.Errorf("it was not closed, so it must be opened for writing once before it can be read: %w", err)
	case strings.Contains(err.Error(), "Cannot acquire directory lock"):
		return nil, fmt.Errorf("%w by a store that could not be closed: %w", ErrLocked, err)
	case isSystem(err):
		return nil, err
	default:
		return nil, &DamageError{Reason: "badger does not open it", Err: err}
	}
	return &badgerEngine{db: db, dir: dir, logs: logSyncer{dir: dir}, room: newSpace(dir, o)}, nil
}

func (b *badgerEngine) get(key []byte) (value []byte, err error) {
	txn := b.db.NewTransaction(false)
	defer txn.Discard()
	item, err := txn.Get(spaced(key))
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return item.ValueCopy(nil)
}

func (b *badgerEngine) batch(ops []Op) error {
	if b.failed != nil {
		return fmt.Errorf("no more writes after an earlier failure: %w", b.failed)
	}
	txn := b.db.NewTransaction(true)
	defer txn.Discard()
	for _, op := range ops {
		var err error
		if op.Delete {
			err = txn.Delete(spaced(op.Key))
		} else {
			err = txn.Set(spaced(op.Key), op.Value)
		}
		if err != nil {
			return err // nothing has been written yet
		}
	}
	b.wrote = true
	b.failed = txn.Commit()
	return b.failed
}

func (b *badgerEngine) page(low, high []byte, reverse bool, n int) ([]Entry, error) {
	low, high = spaced(low), spaced(high)
	if len(high) == len(badgerBefore) {
		high = badgerAfter
	}
	txn := b.db.NewTransaction(false)
	defer txn.Discard()
	// Without prefetching nothing is read in goroutines of Badger's, whose panics
	// could not be caught.
	it := txn.NewIterator(badger.IteratorOptions{Reverse: reverse})
	defer it.Close()
	if reverse {
		it.Seek(high)
		if it.Valid() && bytes.Equal(it.Item().Key(), high) {
			it.Next()
		}
	} else {
		it.Seek(low)
	}
	var entries []Entry
	for size := 0; it.Valid() && len(entries) < n && size < MaxBatch; it.Next() {
		key := it.Item().Key()
		if bytes.Compare(key, low) < 0 || bytes.Compare(key, high) >= 0 {
			break
		}
		value, err := it.Item().ValueCopy(nil)
		if err != nil {
			return nil, err
		}
		entries = append(entries, Entry{Key: bytes.Clone(key[1:]), Value: value})
		size += len(key) + len(value)
	}
	return entries, nil
}

func (b *badgerEngine) sync() error {
	if b.failed != nil {
		return fmt.Errorf("an earlier write failed: %w", b.failed)
	}
	if b.failed = b.db.Sync(); b.failed == nil {
		b.failed = b.logs.sync()
	}
	return b.failed
}

func (b *badgerEngine) verify() error { return inspectTablesInUse(b.dir) }

// close leaves a database alone whose disk is full: Badger writes what is in memory
// into a table then, which would end the process. All of it is in the log.
func (b *badgerEngine) close() error {
	if err := b.room.opens(); err != nil && b.wrote {
		return fmt.Errorf("left as it is: %w", err)
	}
	return b.db.Close()
}

func spaced(key []byte) []byte {
	out := make([]byte, 0, len(key)+1)
	return append(append(out, badgerSpace), key...)
}
