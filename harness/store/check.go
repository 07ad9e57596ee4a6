// SPDX-License-Identifier: Apache-2.0

package store

import "fmt"

// reserved is the first byte of the keys that belong to the store itself.
const reserved = 0x00

// checkKey returns an error matching [ErrKey] for a key no engine may see.
func checkKey(key []byte) error {
	switch {
	case len(key) == 0:
		return fmt.Errorf("%w: it is empty", ErrKey)
	case len(key) > MaxKey:
		return fmt.Errorf("%w: %d bytes, at most %d are allowed", ErrKey, len(key), MaxKey)
	case key[0] == reserved:
		return fmt.Errorf("%w: keys that begin with a zero byte are the store's own", ErrKey)
	}
	return nil
}

// checkBatch returns an error for a batch that is over the limits.
func checkBatch(ops []Op) error {
	if len(ops) > MaxOps {
		return fmt.Errorf("%w: %d operations, at most %d are allowed", ErrTooLarge, len(ops), MaxOps)
	}
	size := 0
	for _, op := range ops {
		if err := checkKey(op.Key); err != nil {
			return err
		}
		size += len(op.Key)
		if !op.Delete {
			size += len(op.Value)
		}
	}
	if size > MaxBatch {
		return fmt.Errorf("%w: %d bytes, at most %d are allowed", ErrTooLarge, size, MaxBatch)
	}
	return nil
}
