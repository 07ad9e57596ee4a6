// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"context"
	"fmt"
	"time"
)

// Command asks the boundary to bring one new value of a signal onto its bus.
type Command struct {
	Signal SignalID
	Value  Value  // in the signal's unit
	Call   string // id of the call it is sent for
	// Epoch is the boundary's epoch when the turn began that sends this. A
	// stop begins a new epoch: what moves something is refused in an old one.
	Epoch uint64
	// Guard is asked last before the frame leaves whether the sender still
	// wants it: consent still valid, plan still lawful. Nil: it does.
	Guard func(Command) error
}

// Sent says what left for a command.
type Sent struct {
	At   time.Time     // wall clock
	Mono time.Duration // the clock's monotonic time just before it left
	Bus  string        // CAN bus name, or mqtt
	Text string        // candump form, or topic and payload
	// End tells the boundary that nobody waits for the command's effect any
	// more; until then, or until its effect is observed or overdue, another
	// call cannot command the signal.
	End func()
}

// Writer is the one way to a bus: vehicle/boundary. Every error of Check and
// Write that is a [Refusal] means that nothing left; after any other error
// what Sent says may have left.
type Writer interface {
	// Check says whether the boundary would send the command now.
	Check(c Command) error
	// Write sends the command, or says why not. It never sends later.
	Write(ctx context.Context, c Command) (Sent, error)
	// Epoch returns the present epoch and a channel that is closed when a
	// stop ends it.
	Epoch() (uint64, <-chan struct{})
	// Stop ends every movement, refuses further ones of this epoch and begins
	// the next. It returns what it sent, and an error when it could not end
	// every movement.
	Stop(ctx context.Context) ([]Trace, error)
}

// Contester is a [Writer] that knows who else commands a signal.
type Contester interface {
	// Contested returns the [Refusal] of a command while another call's command
	// of the same signal is under way towards another value, else nil.
	Contested(c Command) error
}

// Gate names what refused a command.
type Gate string

// The gates of the boundary.
const (
	GateAllowList Gate = "tx-allow-list"       // no command binding allows this frame or topic
	GateRange     Gate = "range"               // the signal cannot have this value
	GateStop      Gate = "stop"                // a stop ended the turn's right to move things
	GateConflict  Gate = "conflict"            // another call's command is under way
	GateRate      Gate = "rate"                // too often, for the signal or the bus
	GateLink      Gate = "link"                // the bus cannot take a frame
	GateInterlock Gate = "interlock"           // a live signal forbids it
	GateFreshness Gate = "freshness"           // a live signal that must allow it is unknown or stale
	GateBase      Gate = "base"                // the rest of the frame has no known content
	GateEncode    Gate = "encode"              // the value does not fit the message
	GateConsent   Gate = "consent-still-valid" // the sender does not want it any more
	GatePanic     Gate = "panic"               // a gate failed itself
)

// Refusal is why the boundary did not let a command out.
type Refusal struct {
	Gate     Gate              `json:"gate"`
	Signal   string            `json:"signal,omitempty"`   // the commanded signal; empty for a foreign frame
	Rule     string            `json:"rule,omitempty"`     // the interlock or rate that refused
	Evidence string            `json:"evidence,omitempty"` // what was seen: vehicle_speed = 42 km/h > 0
	Text     map[string]string `json:"text,omitempty"`     // for the driver, by language
	Cause    error             `json:"-"`
}

func (r *Refusal) Error() string {
	s := "refused by " + string(r.Gate)
	if r.Rule != "" {
		s += " " + r.Rule
	}
	if r.Signal != "" {
		s = r.Signal + " " + s
	}
	switch {
	case r.Evidence != "":
		s += ": " + r.Evidence
	case r.Cause != nil:
		s += ": " + r.Cause.Error()
	}
	return s
}

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Cause }

// Refusef makes a refusal with its evidence.
func Refusef(g Gate, signal, format string, args ...any) *Refusal {
	return &Refusal{Gate: g, Signal: signal, Evidence: fmt.Sprintf(format, args...)}
}
