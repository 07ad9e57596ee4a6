// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"context"
	"slices"
)

// Watch collects what is observed of some signals until someone takes it. It
// holds at most one observation of each signal, the latest, so that a slow
// reader costs nothing but the values in between.
type Watch struct {
	live   *Live
	ids    []SignalID // nil: all
	every  bool       // also observations that change nothing
	notify chan struct{}

	// dirty and marked are guarded by live.mu.
	dirty  []SignalID
	marked []bool
}

// Watch collects changes of the signals, of all when none is named. The
// present values are the first changes.
func (l *Live) Watch(ids ...SignalID) *Watch { return l.watch(false, ids) }

// WatchEvery collects observations of the signals also when they change
// nothing: the news is then that the car still says so.
func (l *Live) WatchEvery(ids ...SignalID) *Watch { return l.watch(true, ids) }

func (l *Live) watch(every bool, ids []SignalID) *Watch {
	w := &Watch{live: l, ids: slices.Clone(ids), every: every,
		notify: make(chan struct{}, 1), marked: make([]bool, len(l.slots))}
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.slots {
		if w.wants(SignalID(id)) && l.slots[id].count > 0 {
			w.mark(SignalID(id))
		}
	}
	l.watches = append(l.watches, w)
	return w
}

func (w *Watch) wants(id SignalID) bool { return w.ids == nil || slices.Contains(w.ids, id) }

// mark notes that the signal has news. w.live.mu is held.
func (w *Watch) mark(id SignalID) {
	if !w.marked[id] {
		w.marked[id] = true
		w.dirty = append(w.dirty, id)
	}
	select {
	case w.notify <- struct{}{}:
	default:
	}
}

// tell passes the news of a signal to those who watch it. l.mu is held.
func (l *Live) tell(id SignalID, change bool) {
	for _, w := range l.watches {
		if (change || w.every) && w.wants(id) {
			w.mark(id)
		}
	}
}

// C delivers when there is something to take; it may also deliver when there
// is nothing any more.
func (w *Watch) C() <-chan struct{} { return w.notify }

// Take appends what was observed since the last Take to buf, one observation
// a signal in the order in which they first had news, and returns it.
func (w *Watch) Take(buf []Observation) []Observation {
	w.live.mu.Lock()
	defer w.live.mu.Unlock()
	now := w.live.clock.Mono()
	for _, id := range w.dirty {
		w.marked[id] = false
		buf = append(buf, w.live.get(id, now))
	}
	w.dirty = w.dirty[:0]
	return buf
}

// Close ends the watch.
func (w *Watch) Close() {
	w.live.mu.Lock()
	defer w.live.mu.Unlock()
	if i := slices.Index(w.live.watches, w); i >= 0 {
		w.live.watches = slices.Delete(w.live.watches, i, i+1)
	}
}

// Wait returns nil as soon as a fresh value of the signal fulfils the
// condition, at once if the present one does, or the error of ctx. A value
// that held only between two looks may be missed, the latest never is.
func (l *Live) Wait(ctx context.Context, id SignalID, ok func(Value) bool) error {
	w := l.WatchEvery(id)
	defer w.Close()
	for {
		if v := l.Value(id); v.Known() && ok(v) {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-w.C():
		}
	}
}
