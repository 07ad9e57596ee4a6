// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"sync"
)

// stopper ends a turn from outside. It has a lock of its own: a stop never
// waits for the turn it ends.
type stopper struct {
	mu      sync.Mutex
	cancel  context.CancelFunc
	stopped bool
}

// begin returns the context of a turn, which a stop cancels.
func (st *stopper) begin(ctx context.Context) (context.Context, func()) {
	st.mu.Lock()
	defer st.mu.Unlock()
	ctx, st.cancel = context.WithCancel(ctx)
	st.stopped = false
	return ctx, func() {
		st.mu.Lock()
		defer st.mu.Unlock()
		st.cancel()
		st.cancel = nil
	}
}

func (st *stopper) wasStopped() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.stopped
}

// Stop ends every movement at once and cancels what the running turn still
// has to do. It needs no model and does not wait for the turn.
func (s *Session) Stop(ctx context.Context) error {
	err := s.Car.Stop(ctx)
	s.Abort()
	return err
}

// Abort ends the running turn as a stop does, for a caller that has stopped
// the car itself.
func (s *Session) Abort() {
	s.stop.mu.Lock()
	defer s.stop.mu.Unlock()
	if s.stop.cancel != nil {
		s.stop.stopped = true
		s.stop.cancel()
	}
}
