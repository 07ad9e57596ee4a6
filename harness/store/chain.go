// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// link is what ties a record to all before it: the first bytes of the SHA-256 of
// the link before, the record's number and its data. Each record is stored behind
// its own link, the log's head holds the newest once more, and its base the link
// before the oldest record. So a record that is missing, exchanged or out of
// place is seen, at either end of the log too. The first record of all is linked
// to zeros.
type link [linkSize]byte

const linkSize = 16

func (l link) after(seq uint64, data []byte) link {
	h := sha256.New()
	h.Write(l[:])
	h.Write(binary.BigEndian.AppendUint64(nil, seq))
	h.Write(data)
	return link(h.Sum(nil)[:linkSize])
}

// joined is how a record is stored.
func (l link) joined(data []byte) []byte {
	return append(append(make([]byte, 0, linkSize+len(data)), l[:]...), data...)
}

// splitLink takes a stored record apart.
func splitLink(stored []byte) (link, []byte, error) {
	if len(stored) < linkSize {
		return link{}, nil, fmt.Errorf("%w: it is too short to be linked to the one before", ErrDamaged)
	}
	return link(stored[:linkSize]), stored[linkSize:], nil
}

// end is one end of a log: a number, and the link of the record before it.
type end struct {
	next uint64
	link link
}

func (e end) bytes() []byte { return append(binary.BigEndian.AppendUint64(nil, e.next), e.link[:]...) }

// readEnd reads an end of the log; the beginning of an empty one if it has none.
func (l *Log) readEnd(kind byte) (end, bool, error) {
	value, err := l.store.Get(l.key(kind))
	switch {
	case errors.Is(err, ErrNotFound):
		return end{next: 1}, false, nil
	case err != nil:
		return end{}, false, err
	case len(value) != 8+linkSize:
		return end{}, false, fmt.Errorf("%w: the log's end has %d bytes", ErrDamaged, len(value))
	}
	return end{binary.BigEndian.Uint64(value), link(value[8:])}, true, nil
}

// locate finds both ends of the log.
func (l *Log) locate() error {
	head, ok, err := l.readEnd(logHead)
	if err != nil {
		return err
	}
	last, stored, err := l.edge(true)
	if err != nil {
		return err
	}
	switch {
	case last >= head.next || !ok && last > 0:
		return fmt.Errorf("%w: the log's head does not know record %d", ErrDamaged, last)
	case last == head.next-1 && last > 0 && stored != head.link:
		return fmt.Errorf("%w: record %d, the newest of the log, is not the one that was written", ErrDamaged, last)
	}
	base, _, err := l.readEnd(logBase)
	if err != nil {
		return err
	}
	first, _, err := l.edge(false)
	if err != nil {
		return err
	}
	l.next, l.head = head.next, head.link
	l.first = min(base.next, l.next)
	if first == 0 && l.first < l.next || last > 0 && last < head.next-1 {
		l.cut = head.next - 1 - max(last, l.first-1)
	}
	return nil
}

// edge returns number and link of the newest or the oldest record, 0 if there is
// none.
func (l *Log) edge(newest bool) (uint64, link, error) {
	for entry, err := range l.store.Scan(Range{Prefix: l.key(logRecord), Reverse: newest, Limit: 1}) {
		if err != nil {
			return 0, link{}, err
		}
		seq, err := l.number(entry.Key)
		if err != nil {
			return 0, link{}, err
		}
		stored, _, err := splitLink(entry.Value)
		return seq, stored, err
	}
	return 0, link{}, nil
}

// Cut returns how many records were missing at the end of the log when it was
// opened.
func (l *Log) Cut() uint64 { return l.cut }

// Verify reads the whole log and follows its chain. The error says what is
// missing, an error matching [ErrGap], or where a record is not the one that was
// written, one matching [ErrDamaged]. Records that are appended meanwhile are
// not looked at.
func (l *Log) Verify(ctx context.Context) (records int, err error) {
	l.mu.Lock()
	from, next, head := l.first, l.next, l.head
	l.mu.Unlock()
	base, _, err := l.readEnd(logBase)
	if err != nil {
		return 0, err
	}
	before := base.link
	for entry, err := range l.store.Scan(Range{Prefix: l.key(logRecord), From: l.recordKey(from)}) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return records, fmt.Errorf("verify log %q: %w", l.prefix, err)
		}
		seq, err := l.number(entry.Key)
		if err != nil {
			return records, err
		}
		if seq >= next {
			break
		}
		if seq != from {
			return records, l.gap(from, seq-1)
		}
		stored, data, err := splitLink(entry.Value)
		if err != nil || stored != before.after(seq, data) {
			return records, fmt.Errorf("verify log %q: %w: record %d is not the one that was written after the one before", l.prefix, ErrDamaged, seq)
		}
		before = stored
		from++
		records++
	}
	switch {
	case from < next:
		return records, l.gap(from, next-1)
	case before != head:
		return records, fmt.Errorf("verify log %q: %w: its newest record is not the one that was written", l.prefix, ErrDamaged)
	}
	return records, nil
}
