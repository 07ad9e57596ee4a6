// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"path"
	"runtime/debug"
)

// rescue calls f and turns a panic into a [*DamageError]: the engines index into
// files they have mapped and trust what they find there. A fault on a mapped
// page beyond the end of a cut file becomes a panic too. It reaches the
// goroutine of the caller only, not those that an engine starts.
func rescue(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = &DamageError{Reason: "the engine could not make sense of it", Err: fmt.Errorf("panic: %v", cause)}
		}
	}()
	return f()
}

// located fills in where a damage is that was found further down. It comes
// before any wrapping, which copies the text.
func located(err error, dir, folder string) error {
	if damage, ok := errors.AsType[*DamageError](err); ok && damage.Dir == "" {
		damage.Dir, damage.File = dir, path.Join(folder, damage.File)
	}
	return err
}
