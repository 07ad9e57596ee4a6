// SPDX-License-Identifier: Apache-2.0

package store

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Loss is what a store that opened has lost without a word from its engine.
type Loss struct {
	// Dir is the store's directory.
	Dir string
	// Batches is how many batches that had been synced are missing at least.
	Batches uint64
}

func (l Loss) String() string {
	return fmt.Sprintf("the last %d synced writes of the store %s are lost", l.Batches, l.Dir)
}

// recall reads the generation the engine knows, the first read after an opening,
// and holds it against the water mark.
func (d *disk) recall(o Options) error {
	err := d.call(func() error { _, err := d.engine.get(generationKey); return err })
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("open store: %w", err)
	}
	if err := d.agreeOnKey(err == nil); err != nil {
		return err
	}
	value, err := d.get(generationKey)
	switch {
	case errors.Is(err, ErrNotFound):
	case err != nil:
		return fmt.Errorf("open store: %w", err)
	case len(value) != 8:
		return &DamageError{Dir: d.dir, File: d.kind.name, Reason: "its generation has a wrong length"}
	default:
		d.generation = binary.BigEndian.Uint64(value)
	}
	reached, err := readWaterMark(d.dir)
	if err != nil {
		return err
	}
	if reached > d.generation {
		d.tell(o, Loss{Dir: d.dir, Batches: reached - d.generation})
	}
	if o.ReadOnly {
		return nil
	}
	if d.mark, err = openWaterMark(d.dir); err != nil {
		return err
	}
	return d.mark.set(d.generation) // a loss is told once
}

func (d *disk) tell(o Options, loss Loss) {
	if o.OnLoss != nil {
		o.OnLoss(loss)
		return
	}
	o.Logger.Error().Str("dir", loss.Dir).Uint64("batches", loss.Batches).Msg(loss.String())
}
