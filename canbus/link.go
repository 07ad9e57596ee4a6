// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"errors"
	"fmt"
)

// LinkState says whether a bus can be used. Only up and warning allow sending.
type LinkState uint8

// The states, from not known yet to gone for good.
const (
	LinkUnknown LinkState = iota // nothing was learned yet
	LinkUp                       // error-active
	LinkWarning                  // an error counter passed 96
	LinkPassive                  // error-passive: an error counter passed 127
	LinkBusOff                   // the controller has left the bus
	LinkDown                     // interface, peer or cable gone; redialled
	LinkEnded                    // closed, or a replayed log is over; final
)

var linkStateNames = [...]string{"unknown", "up", "warning", "passive", "bus-off", "down", "ended"}

func (s LinkState) String() string {
	if int(s) < len(linkStateNames) {
		return linkStateNames[s]
	}
	return fmt.Sprintf("LinkState(%d)", uint8(s))
}

// MarshalText writes the name of the state.
func (s LinkState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name of a state.
func (s *LinkState) UnmarshalText(text []byte) error {
	for i, name := range linkStateNames {
		if name == string(text) {
			*s = LinkState(i)
			return nil
		}
	}
	return fmt.Errorf("unknown link state %q", text)
}

// CanSend reports whether a frame may be given to a bus in this state.
func (s LinkState) CanSend() bool { return s == LinkUp || s == LinkWarning }

// Link is the state of a bus and why it is so.
type Link struct {
	State    LinkState `json:"state"`
	Cause    string    `json:"cause,omitempty"`     // lower-case phrase; empty while up
	TxErrors uint8     `json:"tx_errors,omitempty"` // transmit error counter, if the controller tells
	RxErrors uint8     `json:"rx_errors,omitempty"` // receive error counter, if the controller tells
}

func (l Link) String() string {
	if l.Cause == "" {
		return l.State.String()
	}
	return l.State.String() + ": " + l.Cause
}

// ErrLink is wrapped by the error of a Send that was refused for the state of
// the link, see [LinkError].
var ErrLink = errors.New("link does not allow sending")

// ErrClosed is returned by a bus that has been closed.
var ErrClosed = errors.New("bus is closed")

// ErrReadOnly is returned by Send of a bus that can only be listened to.
var ErrReadOnly = errors.New("bus is read-only")

// LinkError is the refusal of a frame because of the state of the link. The
// frame was not queued and will not be sent later.
type LinkError struct{ Link Link }

func (e *LinkError) Error() string { return "send: link is " + e.Link.String() }

// Unwrap returns [ErrLink].
func (e *LinkError) Unwrap() error { return ErrLink }
