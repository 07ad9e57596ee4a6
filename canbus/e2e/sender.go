// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"sync"

	"github.com/carguardd/carguardd/canbus"
)

// Sender protects the frames of one message. It may be used concurrently.
type Sender struct {
	algorithm Algorithm

	mu   sync.Mutex
	next int
}

// NewSender returns a sender whose counter begins with 0.
func NewSender(a Algorithm) *Sender { return &Sender{algorithm: a} }

// Protect returns the frame with the next counter and its checksum. If it is
// certain that the frame did not leave, giveBack makes the counter free again,
// unless a later one was taken meanwhile: a receiver counts what is missing.
func (s *Sender) Protect(f canbus.Frame) (_ canbus.Frame, giveBack func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := s.next
	s.next = (mine + 1) % s.algorithm.Counters()
	after := s.next
	s.algorithm.Protect(f.Data[:f.Length], uint8(mine))
	return f, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.next == after {
			s.next = mine
		}
	}
}
