// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"errors"
	"fmt"
)

var (
	// ErrDown says that no broker takes messages now, so nothing was sent, and
	// that it will not be sent later either.
	ErrDown = errors.New("no connection to the mqtt broker")
	// ErrUnconfirmed says that a message was sent and nobody knows whether it
	// arrived.
	ErrUnconfirmed = errors.New("sent, but not confirmed")
	// ErrRetained says that a command was to be retained.
	ErrRetained = errors.New("a command must not be retained")
	// ErrOverlap says that a filter overlaps one that is subscribed already.
	ErrOverlap = errors.New("overlapping subscription")
	// ErrDeaf says that the broker takes messages and delivers none.
	ErrDeaf = errors.New("connected, but our own message does not come back")
	// ErrDuplicate says that another client uses our client id.
	ErrDuplicate = errors.New("another client uses the same client id")
)

// ServiceError is a provider's own word for why a call failed.
type ServiceError struct {
	Tool string
	Text string
}

func (e *ServiceError) Error() string { return fmt.Sprintf("%s: %s", e.Tool, e.Text) }
