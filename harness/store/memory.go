// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"iter"
	"slices"
	"sync"
)

// Memory is a [Store] in memory, for tests and evaluation. The zero value is
// empty and ready. Nothing of it survives the process.
type Memory struct {
	mu     sync.RWMutex // guards everything that follows
	values map[string][]byte
	keys   []string // sorted
	size   int64
	closed bool
}

var _ Store = (*Memory)(nil)

// Get implements [Store].
func (m *Memory) Get(key []byte) ([]byte, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, ErrClosed
	}
	if err := checkKey(key); err != nil {
		return nil, err
	}
	value, ok := m.values[string(key)]
	if !ok {
		return nil, ErrNotFound
	}
	return append([]byte{}, value...), nil
}

// Batch implements [Store].
func (m *Memory) Batch(ops ...Op) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	if err := checkBatch(ops); err != nil {
		return err
	}
	for _, op := range ops {
		if op.Delete {
			m.delete(string(op.Key))
		} else {
			m.set(string(op.Key), op.Value)
		}
	}
	return nil
}

func (m *Memory) set(key string, value []byte) {
	if old, ok := m.values[key]; ok {
		m.size += int64(len(value) - len(old))
	} else {
		at, _ := slices.BinarySearch(m.keys, key)
		m.keys = slices.Insert(m.keys, at, key)
		m.size += int64(len(key) + len(value))
	}
	if m.values == nil {
		m.values = map[string][]byte{}
	}
	m.values[key] = append([]byte{}, value...)
}

func (m *Memory) delete(key string) {
	old, ok := m.values[key]
	if !ok {
		return
	}
	at, _ := slices.BinarySearch(m.keys, key)
	m.keys = slices.Delete(m.keys, at, at+1)
	delete(m.values, key)
	m.size -= int64(len(key) + len(old))
}

// Scan implements [Store].
func (m *Memory) Scan(r Range) iter.Seq2[Entry, error] {
	return pages(r, m.page)
}

// page returns up to n entries of [low, high).
func (m *Memory) page(low, high []byte, reverse bool, n int) ([]Entry, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, ErrClosed
	}
	first, _ := slices.BinarySearch(m.keys, string(low))
	last := len(m.keys)
	if high != nil {
		last, _ = slices.BinarySearch(m.keys, string(high))
	}
	if first >= last {
		return nil, nil
	}
	keys := m.keys[first:last]
	entries := make([]Entry, 0, min(n, len(keys)))
	for i := range min(n, len(keys)) {
		key := keys[i]
		if reverse {
			key = keys[len(keys)-1-i]
		}
		entries = append(entries, Entry{Key: []byte(key), Value: bytes.Clone(m.values[key])})
	}
	return entries, nil
}

// Sync implements [Store]; there is nothing to do.
func (m *Memory) Sync() error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return ErrClosed
	}
	return nil
}

// Size implements [Store]: the bytes of all keys and values.
func (m *Memory) Size() (int64, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return 0, ErrClosed
	}
	return m.size, nil
}

// Close implements [Store] and frees the memory.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	m.closed, m.values, m.keys = true, nil, nil
	return nil
}
