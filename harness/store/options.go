// SPDX-License-Identifier: Apache-2.0

package store

import "github.com/rs/zerolog"

// SyncMode says when a batch reaches the disk for good.
type SyncMode int

const (
	// SyncOnDemand leaves it to [Store.Sync]: a batch survives the death of the
	// process at once, a power cut only after the next Sync. About 30 µs a
	// batch on an SSD.
	SyncOnDemand SyncMode = iota
	// SyncAlways syncs within every batch: one wait for the disk each, 3 to 20
	// ms on flash.
	SyncAlways
)

// Options say how a store is opened. The zero value is a store for reading and
// writing that syncs on demand and logs nothing.
type Options struct {
	// ReadOnly opens an existing store for reading. Several readers may have it
	// open at once, but no reader beside a writer.
	ReadOnly bool
	// Sync says when a batch reaches the disk. bbolt knows only [SyncAlways]
	// and takes every mode for it.
	Sync SyncMode
	// Key encrypts the values, [KeySize] bytes; nil: they are not. A store keeps
	// the key it was made with until [Compact] gives it another.
	Key []byte
	// MinFree is how many bytes of the disk are left free: batches are refused with
	// [ErrNoSpace] where less would be left, and opening for writing where there is
	// less than half of it. 0 is [DefaultMinFree], less than 0 is no guard.
	MinFree int64
	// FreeSpace tells the free bytes on the disk of a folder. Nil is [FreeSpace].
	FreeSpace func(dir string) (int64, error)
	// Logger receives the engine's own messages and what the guard noticed.
	Logger zerolog.Logger
	// OnLoss is told, before Open returns, what the store lost while it was
	// closed. Nil has it logged.
	OnLoss func(Loss)
}
