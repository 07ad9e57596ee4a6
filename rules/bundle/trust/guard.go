// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"fmt"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// guarded reads a document with go-tuf, which panics on some that anybody may
// write, such as a list with a target of null. Such a one cannot be read, and
// is no more than that.
func guarded[T any](read func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return read()
}

func (w *walk) updateRoot(data []byte) error {
	_, err := guarded(func() (any, error) { return w.trusted.UpdateRoot(data) })
	return err
}

// updateTimestamp looks at what the document names before go-tuf does. Once
// verified it is compared with every later one, so a document with a hole in it
// would break the walk for as long as it is remembered.
func (w *walk) updateTimestamp(data []byte) error {
	_, err := guarded(func() (any, error) {
		t, err := metadata.Timestamp().FromBytes(data)
		if err != nil {
			return nil, err
		}
		if err := names(t.Signed.Meta, "snapshot"); err != nil {
			return nil, err
		}
		return w.trusted.UpdateTimestamp(data)
	})
	return err
}

// updateSnapshot looks at what the document names, for the same reason.
func (w *walk) updateSnapshot(data []byte, remembered bool) error {
	_, err := guarded(func() (any, error) {
		s, err := metadata.Snapshot().FromBytes(data)
		if err != nil {
			return nil, err
		}
		if err := names(s.Signed.Meta, "targets"); err != nil {
			return nil, err
		}
		return w.trusted.UpdateSnapshot(data, remembered)
	})
	return err
}

func (w *walk) updateTargets(data []byte) error {
	_, err := guarded(func() (any, error) { return w.trusted.UpdateTargets(data) })
	return err
}

// names refuses a document that does not name the one below it, or names one
// by null.
func names(meta map[string]*metadata.MetaFiles, below string) error {
	if meta[below+".json"] == nil {
		return fmt.Errorf("it names no %s", below)
	}
	for name, m := range meta {
		if m == nil {
			return fmt.Errorf("it says nothing of %s", name)
		}
	}
	return nil
}
