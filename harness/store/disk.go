// SPDX-License-Identifier: Apache-2.0

package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"os"
	"sync"
	"time"
)

// generationKey holds the number of the last batch, written with each batch.
var generationKey = []byte{reserved, 'g'}

// disk is a [Store] on an engine: limits, checksums, the water mark and the
// engine's panics are handled here, once for all engines.
type disk struct {
	dir        string
	kind       kind
	engine     engine
	held       *os.File
	readOnly   bool
	syncAlways bool
	sealer     sealer
	space      space

	// use is held for reading by every call and for writing by Close.
	use    sync.RWMutex
	closed bool

	// write serialises batches and syncs, so that generations reach the engine in
	// order. It is taken after use.
	write      sync.Mutex
	generation uint64 // of the last batch
	mark       waterMark
}

var _ Store = (*disk)(nil)

// enter begins a call; leave ends it.
func (d *disk) enter() error {
	d.use.RLock()
	if d.closed {
		d.use.RUnlock()
		return ErrClosed
	}
	return nil
}

func (d *disk) leave() { d.use.RUnlock() }

// call does something with the engine.
func (d *disk) call(f func() error) error { return located(rescue(f), d.dir, d.kind.name) }

func (d *disk) Get(key []byte) (value []byte, err error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return d.get(key)
}

func (d *disk) get(key []byte) (value []byte, err error) {
	err = d.call(func() error {
		sealed, err := d.engine.get(key)
		if err != nil {
			return err
		}
		value, err = d.sealer.unseal(key, sealed)
		return err
	})
	return value, err
}

func (d *disk) Batch(ops ...Op) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	if d.readOnly {
		return ErrReadOnly
	}
	if err := checkBatch(ops); err != nil {
		return err
	}
	if len(ops) == 0 {
		return nil
	}
	d.write.Lock()
	defer d.write.Unlock()
	if err := d.commit(ops); err != nil {
		return fmt.Errorf("write store: %w", err)
	}
	if d.syncAlways {
		return d.mark.set(d.generation)
	}
	return nil
}

// commit hands ops to the engine together with their generation, if the disk has
// room for them.
func (d *disk) commit(ops []Op) error {
	next := d.generation + 1
	sealed := make([]Op, 0, len(ops)+1)
	var size int64
	for _, op := range ops {
		if !op.Delete {
			op.Value = d.sealer.seal(op.Key, op.Value)
		}
		sealed = append(sealed, op)
		size += int64(len(op.Key) + len(op.Value))
	}
	if err := d.space.room(size); err != nil {
		return err
	}
	count := binary.BigEndian.AppendUint64(nil, next)
	sealed = append(sealed, Set(generationKey, d.sealer.seal(generationKey, count)))
	if err := d.call(func() error { return d.engine.batch(sealed) }); err != nil {
		return err
	}
	d.generation = next
	return nil
}

func (d *disk) Scan(r Range) iter.Seq2[Entry, error] { return pages(r, d.page) }

func (d *disk) page(low, high []byte, reverse bool, n int) (entries []Entry, err error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	err = d.call(func() (err error) {
		entries, err = d.engine.page(low, high, reverse, n)
		for i := 0; i < len(entries) && err == nil; i++ {
			entries[i].Value, err = d.sealer.unseal(entries[i].Key, entries[i].Value)
		}
		return err
	})
	return entries, err
}

func (d *disk) Sync() error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	if d.readOnly {
		return nil
	}
	d.write.Lock()
	defer d.write.Unlock()
	return d.sync()
}

func (d *disk) sync() error {
	if err := d.call(d.engine.sync); err != nil {
		return fmt.Errorf("sync store: %w", err)
	}
	return d.mark.set(d.generation)
}

func (d *disk) Size() (int64, error) {
	if err := d.enter(); err != nil {
		return 0, err
	}
	defer d.leave()
	return Usage(d.dir)
}

// closeTime is how long an engine may take to close. Badger waits for ever when
// its folder has gone; whoever ends must not.
const closeTime = 10 * time.Second

func (d *disk) Close() error { return d.closeWithin(closeTime) }

// closeWithin is Close with another limit. A store that does not close in time
// is left to the end of the process: its directory stays locked and marked as
// running.
func (d *disk) closeWithin(limit time.Duration) error {
	done := make(chan error, 1)
	go func() { done <- d.closeEngine() }() // may outlive this call
	var err error
	select {
	case err = <-done:
	case <-time.After(limit):
		return fmt.Errorf("close store %s: the disk did not answer within %v; what it holds is checked at the next start", d.dir, limit)
	}
	if errors.Is(err, ErrClosed) {
		return err
	} else if err != nil {
		return errors.Join(err, d.release())
	}
	return d.release()
}

// closeEngine ends all use of the store; its directory stays locked. An engine
// that cannot be closed properly leaves the store marked as running.
func (d *disk) closeEngine() error {
	d.use.Lock()
	defer d.use.Unlock()
	if d.closed {
		return ErrClosed
	}
	d.closed = true
	var err error
	if !d.readOnly {
		err = d.sync()
	}
	err = errors.Join(err, d.call(d.engine.close))
	if !d.readOnly && err == nil {
		err = unmarkRunning(d.dir)
	}
	return err
}

// release gives the directory back.
func (d *disk) release() error { return errors.Join(d.mark.close(), d.held.Close()) }
