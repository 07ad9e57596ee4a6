// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"iter"
)

// Limits that hold for every engine, so that what one accepts the other does.
const (
	// MaxKey is the longest key, in bytes.
	MaxKey = 1 << 10
	// MaxBatch is the largest batch, in bytes of keys and values together. It
	// bounds a single value too: Badger keeps values of up to this size in its
	// tree, so that its value log stays empty and never needs collecting.
	MaxBatch = 512 << 10
	// MaxOps is the largest number of operations in one batch.
	MaxOps = 4096
)

// Store is an ordered map from keys to values on disk.
//
// All methods may be called from several goroutines at once; batches are
// carried out one after the other. Slices that are passed in are not kept and
// not changed, slices that come out belong to the caller. There is no context:
// a write that the disk has begun cannot be called off, so a caller with a
// deadline waits in its own way.
//
// Keys have 1 to [MaxKey] bytes and do not begin with a zero byte (those are
// the store's own); a key outside that is refused with [ErrKey]. Values may be
// empty and come back empty, not nil. After Close every method returns
// [ErrClosed]. Damage noticed while reading is a [*DamageError].
type Store interface {
	// Get returns the value of key, or [ErrNotFound].
	Get(key []byte) ([]byte, error)

	// Batch carries out ops in order, all of them or none: after an error
	// nothing of the batch is visible, now or after a restart. Of several
	// operations on one key the last wins. Deleting a key that is not there is
	// no error; a batch without operations does nothing. It returns
	// [ErrTooLarge] beyond [MaxBatch] or [MaxOps], [ErrReadOnly] on a store
	// opened for reading.
	Batch(ops ...Op) error

	// Scan yields the entries of a range in key order. The body may call the
	// store. An entry that is there during the whole scan is yielded once; one
	// that is written or deleted meanwhile may or may not be. An error ends the
	// scan as its last yield.
	Scan(r Range) iter.Seq2[Entry, error]

	// Sync returns when everything that Batch had confirmed before the call
	// survives a power cut.
	Sync() error

	// Size returns the bytes the store takes up on its disk.
	Size() (int64, error)

	// Close syncs and releases the store. A second Close returns [ErrClosed].
	Close() error
}

// Op is one step of a batch: a set, or a delete.
type Op struct {
	Key    []byte
	Value  []byte // ignored by a delete
	Delete bool
}

// Set returns the step that stores value under key.
func Set(key, value []byte) Op { return Op{Key: key, Value: value} }

// Delete returns the step that removes key.
func Delete(key []byte) Op { return Op{Key: key, Delete: true} }

// Entry is one key with its value.
type Entry struct {
	Key   []byte
	Value []byte
}

// Range says what a scan yields. The zero Range is everything, ascending.
type Range struct {
	// Prefix is what each key begins with.
	Prefix []byte
	// From is the key to begin at, itself included. Nil begins at the low end
	// of the prefix, or at the high end if Reverse is set.
	From []byte
	// Reverse yields in descending order.
	Reverse bool
	// Limit ends the scan after that many entries; 0 is no limit.
	Limit int
}

// bounds returns the half-open interval [low, high) of keys that r covers; a nil
// high has no upper end. Keys of the store itself are never inside.
func (r Range) bounds() (low, high []byte) {
	low, high = r.Prefix, successor(r.Prefix)
	if len(low) == 0 || low[0] == reserved {
		low = []byte{reserved + 1}
	}
	switch {
	case r.From == nil:
	case r.Reverse:
		after := append(bytes.Clone(r.From), 0) // the next key after From
		if high == nil || bytes.Compare(after, high) < 0 {
			high = after
		}
	case bytes.Compare(r.From, low) > 0:
		low = r.From
	}
	return low, high
}

// successor returns the first key after all keys that begin with prefix, nil if
// there is none.
func successor(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			next := bytes.Clone(prefix[:i+1])
			next[i]++
			return next
		}
	}
	return nil
}
