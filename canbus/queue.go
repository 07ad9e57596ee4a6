// SPDX-License-Identifier: Apache-2.0

package canbus

import "sync"

// queue carries values from many senders to one receiver. The receiver takes all
// that waits at once, so that a busy bus costs few wake-ups.
type queue[T any] struct {
	limit int

	mu     sync.Mutex
	ready  sync.Cond // items is not empty, or closed
	items  []T
	closed bool
}

func newQueue[T any](limit int) *queue[T] {
	q := &queue[T]{limit: limit}
	q.ready.L = &q.mu
	return q
}

// put adds v; false means that it was dropped, because the queue is closed, or
// full and v may be dropped.
func (q *queue[T]) put(v T, droppable bool) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || (droppable && len(q.items) >= q.limit) {
		return false
	}
	q.items = append(q.items, v)
	if len(q.items) == 1 {
		q.ready.Signal()
	}
	return true
}

// take waits, and returns what is queued in exchange for an empty slice. Open
// is false when the queue was closed and nothing is left.
func (q *queue[T]) take(empty []T) (batch []T, open bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.ready.Wait()
	}
	batch, q.items = q.items, empty
	return batch, len(batch) > 0
}

// close lets take drain what is queued and then end.
func (q *queue[T]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.ready.Signal()
}
