// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// The keys of a log are its prefix, one of these, and for a record its number in
// 8 bytes, big-endian, so that key order is number order.
const (
	logRecord = 'r'
	logHead   = 'h' // what the chain ends with, written with each record, see link
	logBase   = 'b' // what the chain begins with, written when old records are dropped
)

// ErrGap says that records of a log are missing.
var ErrGap = errors.New("records are missing")

// Record is one entry of a [Log].
type Record struct {
	// Seq is its number. The first record of a log has number 1.
	Seq  uint64
	Data []byte
}

// Log is a sequence of records under a prefix of a store, numbered without gaps
// and only ever appended to. Its methods may be called from several goroutines
// at once. There must be one Log per prefix.
type Log struct {
	store  Store
	prefix []byte

	mu    sync.Mutex
	first uint64 // number of the oldest record; next if there is none
	next  uint64 // number the next record gets
	head  link   // of the record before it
	cut   uint64 // records that were missing at the end when it was opened
}

// OpenLog returns the log under prefix. It reads four entries, however long the
// log is. No other key of the store may begin with prefix.
func OpenLog(s Store, prefix []byte) (*Log, error) {
	l := &Log{store: s, prefix: bytes.Clone(prefix), next: 1}
	if err := l.locate(); err != nil {
		return nil, fmt.Errorf("open log %q: %w", prefix, err)
	}
	return l, nil
}

// Append adds a record and returns its number. With durable it returns when the
// record survives a power cut, and with it everything that was written before.
// The steps in with are carried out in the same batch: all or nothing. After an
// error of the batch no number has been used; after an error of the sync the
// record may be there or not.
func (l *Log) Append(ctx context.Context, data []byte, durable bool, with ...Op) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	seq, err := l.append(data, with)
	if err == nil && durable {
		err = l.store.Sync()
	}
	if err != nil {
		return 0, fmt.Errorf("append to log %q: %w", l.prefix, err)
	}
	return seq, nil
}

func (l *Log) append(data []byte, with []Op) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	head := l.head.after(l.next, data)
	ops := append([]Op{
		Set(l.recordKey(l.next), head.joined(data)),
		Set(l.key(logHead), end{l.next + 1, head}.bytes()),
	}, with...)
	if err := l.store.Batch(ops...); err != nil {
		return 0, err
	}
	l.next, l.head = l.next+1, head
	return l.next - 1, nil
}

// Read returns up to limit records from number from on, oldest first; a limit of
// 0 or less is none. Where the log has lost records it returns those before the
// gap and an error matching [ErrGap]; reading goes on behind it with a from that
// is higher.
func (l *Log) Read(from uint64, limit int) ([]Record, error) {
	l.mu.Lock()
	from, next := max(from, l.first), l.next
	l.mu.Unlock()
	if from >= next {
		return nil, nil
	}
	return l.read(Range{Prefix: l.key(logRecord), From: l.recordKey(from), Limit: max(limit, 0)}, from, next)
}

// read collects the records of r, which should have the numbers from to next-1.
func (l *Log) read(r Range, from, next uint64) ([]Record, error) {
	end := next
	if r.Limit > 0 {
		end = min(next, from+uint64(r.Limit))
	}
	var records []Record
	for entry, err := range l.store.Scan(r) {
		if err != nil {
			return records, fmt.Errorf("read log %q: %w", l.prefix, err)
		}
		seq, err := l.number(entry.Key)
		if err != nil {
			return records, err
		}
		if seq >= end {
			break // appended meanwhile
		}
		if seq != from {
			return records, l.gap(from, seq-1)
		}
		_, data, err := splitLink(entry.Value)
		if err != nil {
			return records, fmt.Errorf("read log %q: record %d: %w", l.prefix, seq, err)
		}
		records = append(records, Record{Seq: seq, Data: data})
		from++
	}
	if from < end {
		l.mu.Lock()
		trimmed := from < l.first
		l.mu.Unlock()
		if !trimmed {
			return records, l.gap(from, end-1)
		}
	}
	return records, nil
}

func (l *Log) gap(first, last uint64) error {
	return fmt.Errorf("read log %q: %w", l.prefix, &GapError{First: first, Last: last})
}

// GapError says which records of a log are missing. It matches [ErrGap].
type GapError struct {
	First uint64 `json:"first"` // their numbers
	Last  uint64 `json:"last"`
}

func (e *GapError) Error() string {
	return fmt.Sprintf("%v: numbers %d to %d", ErrGap, e.First, e.Last)
}

// Is makes every GapError match [ErrGap].
func (e *GapError) Is(target error) bool { return target == ErrGap }

// Last returns the newest n records, oldest first, or fewer if there are not as
// many. It returns those behind a gap and an error matching [ErrGap] if the log
// has lost records among them.
func (l *Log) Last(n int) ([]Record, error) { return l.Before(math.MaxUint64, n) }

// Before is Last for the records with numbers below seq: with the number of the
// first record of one page it returns the page before.
func (l *Log) Before(seq uint64, n int) ([]Record, error) {
	l.mu.Lock()
	first, next := l.first, min(l.next, seq)
	l.mu.Unlock()
	if n <= 0 || next <= first {
		return nil, nil
	}
	var records []Record
	want := next - 1
	for entry, err := range l.store.Scan(Range{Prefix: l.key(logRecord), From: l.recordKey(want), Reverse: true, Limit: n}) {
		if err != nil {
			return backwards(records), fmt.Errorf("read log %q: %w", l.prefix, err)
		}
		found, err := l.number(entry.Key)
		if err != nil {
			return backwards(records), err
		}
		if found != want {
			return backwards(records), l.gap(found+1, want)
		}
		_, data, err := splitLink(entry.Value)
		if err != nil {
			return backwards(records), fmt.Errorf("read log %q: record %d: %w", l.prefix, found, err)
		}
		records = append(records, Record{Seq: found, Data: data})
		want--
	}
	if got := uint64(len(records)); got < min(uint64(n), next-first) && want >= l.oldest() {
		return backwards(records), l.gap(first, want)
	}
	return backwards(records), nil
}

func backwards(records []Record) []Record {
	slices.Reverse(records)
	return records
}

// oldest returns the number of the oldest record the log should have.
func (l *Log) oldest() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first
}

// Count returns how many records the log has.
func (l *Log) Count() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next - l.first
}

// Next returns the number that the next record gets.
func (l *Log) Next() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next
}

func (l *Log) key(kind byte) []byte {
	key := make([]byte, 0, len(l.prefix)+1+8)
	return append(append(key, l.prefix...), kind)
}

func (l *Log) recordKey(seq uint64) []byte {
	return binary.BigEndian.AppendUint64(l.key(logRecord), seq)
}

// number returns the number in the key of a record.
func (l *Log) number(key []byte) (uint64, error) {
	if len(key) != len(l.prefix)+1+8 {
		return 0, fmt.Errorf("read log %q: %w: it has a key of %d bytes that is not a record's", l.prefix, ErrDamaged, len(key))
	}
	return binary.BigEndian.Uint64(key[len(key)-8:]), nil
}
