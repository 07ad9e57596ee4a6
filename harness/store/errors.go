// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
)

var (
	// ErrNotFound says that a key is not in the store.
	ErrNotFound = errors.New("key not found")
	// ErrClosed says that the store has been closed.
	ErrClosed = errors.New("store is closed")
	// ErrReadOnly says that the store was opened for reading.
	ErrReadOnly = errors.New("store is open read-only")
	// ErrKey says that a key is empty, too long or reserved.
	ErrKey = errors.New("invalid key")
	// ErrTooLarge says that a batch exceeds [MaxBatch] or [MaxOps].
	ErrTooLarge = errors.New("batch too large")
	// ErrLocked says that another process, or another store of this process,
	// has the directory open.
	ErrLocked = errors.New("store is in use")
	// ErrNoSpace says that the disk is too full for a batch, or for opening.
	ErrNoSpace = errors.New("too little space")
	// ErrEncrypted says that a store needs a key and none was given.
	ErrEncrypted = errors.New("store is encrypted, and there is no key")
	// ErrWrongKey says that a store was encrypted with another key.
	ErrWrongKey = errors.New("the key does not fit the store")
	// ErrPlain says that a key was given for a store that is not encrypted.
	ErrPlain = errors.New("store is not encrypted")
	// ErrDamaged is what every [DamageError] matches.
	ErrDamaged = errors.New("store is damaged")
)

// DamageError says what is broken in a store, and where. It matches [ErrDamaged].
type DamageError struct {
	// Dir is the store's directory.
	Dir string
	// File is the file that is damaged, relative to Dir, if it is known.
	File string
	// Reason is what is wrong with it.
	Reason string
	// Err is what the engine said, if it was the engine that noticed.
	Err error
}

func (e *DamageError) Error() string {
	where := e.Dir
	if e.File != "" {
		where += "/" + e.File
	}
	text := fmt.Sprintf("%s: %s: %s", ErrDamaged, where, e.Reason)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Is makes every DamageError match [ErrDamaged].
func (e *DamageError) Is(target error) bool { return target == ErrDamaged }

// Unwrap returns what the engine said.
func (e *DamageError) Unwrap() error { return e.Err }
