// SPDX-License-Identifier: Apache-2.0

package bundles

import (
	"errors"

	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/rules/bundle"
)

// kept is a store as bundles see it.
type kept struct{ s store.Store }

var _ bundle.Store = kept{}

// Get implements bundle.Store.
func (k kept) Get(key string) ([]byte, error) {
	v, err := k.s.Get([]byte(key))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return v, err
}

// Put implements bundle.Store. A batch survives the end of the process by
// itself, and a power cut once it was synced.
func (k kept) Put(entries ...bundle.Entry) error {
	ops := make([]store.Op, len(entries))
	for i, e := range entries {
		if ops[i] = store.Set([]byte(e.Key), e.Value); e.Value == nil {
			ops[i] = store.Delete([]byte(e.Key))
		}
	}
	if err := k.s.Batch(ops...); err != nil {
		return err
	}
	return k.s.Sync()
}
