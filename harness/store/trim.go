// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"errors"
	"fmt"
)

// Trim drops the records with numbers below seq. Numbers are never given twice,
// even when all records are dropped. It works in steps, and a step that fails
// leaves the rest for the next call.
func (l *Log) Trim(ctx context.Context, seq uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	seq = min(seq, l.next)
	for l.first < seq {
		if err := ctx.Err(); err != nil {
			return err
		}
		until := min(seq, l.first+MaxOps/2)
		base, err := l.linkBefore(until)
		if err != nil {
			return fmt.Errorf("trim log %q: %w", l.prefix, err)
		}
		ops := []Op{Set(l.key(logBase), end{until, base}.bytes())}
		for n := l.first; n < until; n++ {
			ops = append(ops, Delete(l.recordKey(n)))
		}
		if err := l.store.Batch(ops...); err != nil {
			return fmt.Errorf("trim log %q: %w", l.prefix, err)
		}
		l.first = until
	}
	return nil
}

// linkBefore returns the link that the record seq continues. Where the record
// before it was lost that is zeros: the chain is broken there, and stays so.
func (l *Log) linkBefore(seq uint64) (link, error) {
	if seq == l.next {
		return l.head, nil
	}
	stored, err := l.store.Get(l.recordKey(seq - 1))
	if errors.Is(err, ErrNotFound) {
		return link{}, nil
	}
	if err != nil {
		return link{}, err
	}
	found, _, err := splitLink(stored)
	return found, err
}
