// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"fmt"
)

// Verifier is a store that can look at all it holds. The stores on disk do.
type Verifier interface {
	// Verify reads everything and returns the first damage as a [*DamageError].
	// It takes about a second per GB from memory and as long as the disk takes
	// otherwise, so it is for hours without a drive and for a check on request.
	// The store can be used meanwhile.
	Verify(ctx context.Context) error
}

var _ Verifier = (*disk)(nil)

func (d *disk) Verify(ctx context.Context) error {
	if err := d.verifyEngine(); err != nil {
		return fmt.Errorf("verify store: %w", err)
	}
	for _, err := range d.Scan(Range{}) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("verify store: %w", err)
		}
	}
	return nil
}

func (d *disk) verifyEngine() error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	return d.call(d.engine.verify)
}
