// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

const boltFile = "data.bbolt"

var (
	bolt       = kind{name: boltFolder, inspect: inspectBolt, start: startBolt}
	boltBucket = []byte("store")
)

// boltEngine is the engine of 32-bit machines. Each batch is one transaction,
// synced when it returns: bbolt without its syncs would not survive a power cut
// at all.
type boltEngine struct{ db *bbolt.DB }

func startBolt(dir string, o Options) (engine, error) {
	db, err := bbolt.Open(filepath.Join(dir, boltFile), 0o600, &bbolt.Options{
		Timeout:      time.Second, // the directory's own lock came first: this one is free
		ReadOnly:     o.ReadOnly,
		FreelistType: bbolt.FreelistMapType,
		NoStatistics: true,
		Logger:       boltLogger{engineLogger{o.Logger}},
	})
	if err != nil {
		return nil, boltError(err)
	}
	if o.ReadOnly {
		return boltEngine{db}, nil
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(boltBucket)
		return err
	})
	if err != nil {
		return nil, errors.Join(boltError(err), db.Close())
	}
	return boltEngine{db}, nil
}

func (b boltEngine) get(key []byte) (value []byte, err error) {
	err = b.view(func(bucket *bbolt.Bucket) error {
		found := bucket.Get(key)
		if found == nil {
			return ErrNotFound
		}
		value = bytes.Clone(found)
		return nil
	})
	return value, err
}

func (b boltEngine) batch(ops []Op) error {
	return boltError(b.db.Update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(boltBucket)
		for _, op := range ops {
			var err error
			if op.Delete {
				err = bucket.Delete(op.Key)
			} else {
				err = bucket.Put(op.Key, op.Value)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

func (b boltEngine) page(low, high []byte, reverse bool, n int) (entries []Entry, err error) {
	err = b.view(func(bucket *bbolt.Bucket) error {
		cursor := bucket.Cursor()
		key, value := cursor.Seek(low)
		step := cursor.Next
		if reverse {
			key, value = seekBelow(cursor, high)
			step = cursor.Prev
		}
		for size := 0; key != nil && len(entries) < n && size < MaxBatch; key, value = step() {
			if bytes.Compare(key, low) < 0 || high != nil && bytes.Compare(key, high) >= 0 {
				return nil
			}
			entries = append(entries, Entry{Key: bytes.Clone(key), Value: bytes.Clone(value)})
			size += len(key) + len(value)
		}
		return nil
	})
	return entries, err
}

// seekBelow moves to the last key below high; nil is above all keys.
func seekBelow(cursor *bbolt.Cursor, high []byte) (key, value []byte) {
	if high == nil {
		return cursor.Last()
	}
	if key, _ = cursor.Seek(high); key == nil {
		return cursor.Last()
	}
	return cursor.Prev()
}

func (b boltEngine) view(f func(*bbolt.Bucket) error) error {
	return boltError(b.db.View(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(boltBucket)
		if bucket == nil {
			return &DamageError{File: boltFile, Reason: "it has no bucket of ours"}
		}
		return f(bucket)
	}))
}

func (b boltEngine) sync() error { return nil } // every batch was

// verify walks all pages: a cursor passes over a leaf that is all zeros as if it
// had no entries.
func (b boltEngine) verify() error {
	return b.db.View(func(tx *bbolt.Tx) error {
		var first error
		for err := range tx.Check() { // to the end, or it waits for a reader
			if first == nil {
				first = &DamageError{File: boltFile, Reason: "its pages do not fit together", Err: err}
			}
		}
		return first
	})
}

func (b boltEngine) close() error { return boltError(b.db.Close()) }

// boltError names what bbolt's errors mean to a store.
func boltError(err error) error {
	for _, damage := range []error{bolterrors.ErrInvalid, bolterrors.ErrVersionMismatch, bolterrors.ErrChecksum} {
		if errors.Is(err, damage) {
			return &DamageError{File: boltFile, Reason: "it is not a bbolt file any more", Err: err}
		}
	}
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("%w by a process that bypasses its lock", ErrLocked)
	case errors.Is(err, bolterrors.ErrDatabaseReadOnly):
		return ErrReadOnly
	}
	return err
}
