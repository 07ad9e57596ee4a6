// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Open opens the store in dir with the engine of this build (see the package
// comment) and creates it if it is not there. It costs a few syncs and reads of
// bounded size, however much the store holds.
//
// It returns an error matching [ErrLocked] if the directory is open elsewhere, a
// [*DamageError] if the store cannot be used as it is (see [Quarantine]),
// [ErrNoSpace] if it is to be written and its disk is full, [ErrEncrypted],
// [ErrWrongKey] or [ErrPlain] if the key is not the store's (see [Compact]), and
// an error matching [fs.ErrNotExist] if it is to be opened for reading and is not
// there. What a store lost without being unusable is told to Options.OnLoss.
func Open(dir string, o Options) (Store, error) { return open(dir, o, native) }

// OpenBolt opens the store in dir with bbolt, whatever the build. It is what
// [Open] does on 32-bit machines.
func OpenBolt(dir string, o Options) (Store, error) { return open(dir, o, bolt) }

// kind is one engine as open needs it.
type kind struct {
	// name is the engine's folder inside the store's directory.
	name string
	// inspect looks for damage that the engine would not survive or not tell of.
	// It gets the engine's folder, which may be missing or empty.
	inspect func(dir string, i inspection) error
	// start opens the engine in its folder, which exists.
	start func(dir string, o Options) (engine, error)
}

// inspection says how an engine's files are to be looked at.
type inspection struct {
	// readOnly forbids to clear anything away.
	readOnly bool
	// thorough asks for a look at all data, however much it is.
	thorough bool
}

// engine is what an engine has to offer. Keys and sizes are checked already,
// slices that go in are not kept, slices that come out are copies. Calls to
// batch, sync and close never overlap each other; get, page and verify may run beside
// batch and sync.
type engine interface {
	get(key []byte) ([]byte, error) // or ErrNotFound
	batch(ops []Op) error
	page(low, high []byte, reverse bool, n int) ([]Entry, error) // see pages
	sync() error
	verify() error // of what a scan of all entries does not see
	close() error
}

func open(dir string, o Options, k kind) (_ Store, err error) {
	if !o.ReadOnly {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("create store: %w", err)
		}
	}
	held, err := lock(dir, o.ReadOnly)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, held.Close())
		}
	}()
	if err := rightEngine(dir, k); err != nil {
		return nil, err
	}
	if !o.ReadOnly {
		if err := newSpace(dir, o).opens(); err != nil {
			return nil, fmt.Errorf("open store: %w", err)
		}
	}
	if o.ReadOnly {
		if _, err := os.Stat(filepath.Join(dir, k.name)); err != nil {
			return nil, fmt.Errorf("open store for reading: %w", err)
		}
		return start(dir, o, k, held)
	}
	guard, err := beginOpening(dir)
	if err != nil {
		return nil, err
	}
	s, err := start(dir, o, k, held)
	if err == nil {
		if err = markRunning(dir); err != nil {
			err = errors.Join(err, s.engine.close())
		}
	}
	// An error is no crash: the process is alive to tell it.
	if gerr := guard.done(); gerr != nil {
		if err == nil {
			err = s.engine.close()
		}
		return nil, errors.Join(gerr, err)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// start brings up the engine of a locked and guarded directory and reads from it
// once, so that an engine that cannot even read never counts as open.
func start(dir string, o Options, k kind, held *os.File) (_ *disk, err error) {
	aead, err := newAEAD(o.Key)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(dir, k.name)
	thorough, err := wasRunning(dir)
	if err != nil {
		return nil, err
	}
	look := inspection{readOnly: o.ReadOnly, thorough: thorough}
	if err := rescue(func() error { return k.inspect(folder, look) }); err != nil {
		return nil, fmt.Errorf("open store: %w", located(err, dir, k.name))
	}
	if !o.ReadOnly {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, fmt.Errorf("create store: %w", err)
		}
	}
	var e engine
	err = rescue(func() (err error) {
		e, err = k.start(folder, o)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open store: %w", located(err, dir, k.name))
	}
	s := &disk{dir: dir, kind: k, engine: e, held: held, readOnly: o.ReadOnly, syncAlways: o.Sync == SyncAlways,
		sealer: sealer{aead}, space: newSpace(dir, o)}
	if err := s.recall(o); err != nil {
		return nil, errors.Join(err, e.close())
	}
	return s, nil
}

// rightEngine refuses a directory that another engine wrote: opening an empty
// store beside the full one would look like a loss.
func rightEngine(dir string, k kind) error {
	for _, other := range []string{badgerFolder, boltFolder} {
		if other == k.name {
			continue
		}
		_, err := os.Stat(filepath.Join(dir, other))
		if err == nil {
			return fmt.Errorf("open store %s: it was written with %s and this program uses %s: move %s away or use the program that wrote it",
				dir, other, k.name, filepath.Join(dir, other))
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("open store: %w", err)
		}
	}
	return nil
}

// Native is the name of the engine that [Open] uses in this build: badger or
// bbolt.
func Native() string { return native.name }
