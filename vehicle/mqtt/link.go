// SPDX-License-Identifier: Apache-2.0

package mqtt

import "time"

// Phase is how things are between a client and its broker.
type Phase string

// The phases of a link.
const (
	// Down: no connection, nothing can be published. A new one is tried.
	Down Phase = "down"
	// Up: connected, subscribed, and our own message came back.
	Up Phase = "up"
	// Degraded: messages go out and come in, but something is wrong that
	// somebody should know of: Err says what.
	Degraded Phase = "degraded"
)

// Link is the state of a client's connection.
type Link struct {
	Phase Phase
	// Since is when the phase began.
	Since time.Time
	// Err is why the link is not up, or what last took it down. Nil if it has
	// never been down but for the first connecting.
	Err error
	// Connects counts the connections made so far.
	Connects int
}

// Open reports whether messages can be published.
func (l Link) Open() bool { return l.Phase != Down }
