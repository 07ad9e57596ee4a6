// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"context"
	"sync"
	"time"
)

// Message is what a handler gets. The payload belongs to it.
type Message struct {
	Topic    string
	Payload  []byte
	Retained bool      // it was there before we subscribed
	At       time.Time // when it arrived

	connection uint64 // number of the one that it came over
}

// Handler takes in the messages of one subscription, one after the other, in the
// order in which they came. It may publish and subscribe. The context ends with
// the client's Run. While it works up to [QueueLength] messages wait for it; if
// there are more the oldest is dropped, for the newest value is the one that
// counts and an old command is not to be carried out late.
type Handler func(ctx context.Context, m Message)

// QueueLength is how many messages wait for a handler.
const QueueLength = 256

// subscription is one filter with its handler.
type subscription struct {
	filter  string
	handler Handler
	command bool // whatever the topic
	status  bool // not to be handled once its connection is gone
	wake    chan struct{}

	mu      sync.Mutex // guards everything that follows
	waiting []Message
}

// push adds a message and reports whether that dropped another.
func (s *subscription) push(m Message) (dropped bool) {
	s.mu.Lock()
	if dropped = len(s.waiting) == QueueLength; dropped {
		s.waiting = append(s.waiting[:0], s.waiting[1:]...)
	}
	s.waiting = append(s.waiting, m)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default: // it is awake
	}
	return dropped
}

func (s *subscription) pop() (Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		return Message{}, false
	}
	m := s.waiting[0]
	s.waiting = append(s.waiting[:0], s.waiting[1:]...)
	return m, true
}

// run hands messages to do until ctx ends.
func (s *subscription) run(ctx context.Context, do func(context.Context, *subscription, Message)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		for m, ok := s.pop(); ok && ctx.Err() == nil; m, ok = s.pop() {
			do(ctx, s, m)
		}
	}
}
