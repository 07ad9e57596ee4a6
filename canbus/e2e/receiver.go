// SPDX-License-Identifier: Apache-2.0

package e2e

import "fmt"

// State is what a receiver says about the frame it got last.
type State uint8

// The states.
const (
	NoNewData     State = iota // nothing was received, or not in time
	Initial                    // the first valid frame: there is none to compare its counter with
	OK                         // the counter is the next one
	SomeLost                   // some frames are missing, not more than allowed
	Repeated                   // the counter is that of the frame before
	WrongSequence              // more frames are missing than allowed, or the counter ran back
	Error                      // the checksum is wrong, the counter invalid, or the length another
	states                     // how many there are
)

var stateNames = [...]string{"no new data", "initial", "ok", "ok, some lost", "repeated", "wrong sequence", "error"}

func (s State) String() string {
	if s < states {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// MarshalText writes the name of the state.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Limits say what a receiver tolerates. A zero field has its default.
type Limits struct {
	MaxDelta  int // largest step of the counter that is still good; 2: one frame may be lost
	Recover   int // good frames in a row, from the first or after a break, from which on they are believed; 2
	MaxErrors int // wrong frames in a row that are only left out; one more is a break; 4
}

func (l Limits) withDefaults() Limits {
	if l.MaxDelta <= 0 {
		l.MaxDelta = 2
	}
	if l.Recover <= 0 {
		l.Recover = 2
	}
	if l.MaxErrors <= 0 {
		l.MaxErrors = 4
	}
	return l
}

// Receiver judges the frames of one message in the order in which they come. It
// is not safe for concurrent use.
type Receiver struct {
	algorithm Algorithm
	limits    Limits

	synced bool // there is a counter to compare with
	last   uint8
	need   int // good frames that are still missing
	errors int // in a row
	state  State
	counts Counts
}

// Counts are the frames of one message by what was said about them.
type Counts struct {
	Good     uint64 `json:"good"`     // believed
	Withheld uint64 `json:"withheld"` // valid, but not yet enough in a row
	Lost     uint64 `json:"lost"`     // missing between two counters that are near
	Repeated uint64 `json:"repeated"`
	Sequence uint64 `json:"wrong_sequence"`
	Errors   uint64 `json:"errors"`
}

// NewReceiver returns a receiver that has seen nothing.
func NewReceiver(a Algorithm, l Limits) *Receiver {
	return &Receiver{algorithm: a, limits: l.withDefaults()}
}

// Check judges a payload of the message's length.
func (r *Receiver) Check(data []byte) State {
	counter, ok := r.algorithm.Verify(data)
	if !ok {
		return r.Reject()
	}
	r.errors = 0
	switch d := r.delta(counter); {
	case !r.synced:
		r.synced, r.state, r.need = true, Initial, r.limits.Recover-1
	case r.algorithm.Counters() == 1: // a checksum alone
		r.state, r.need = OK, max(0, r.need-1)
	case d == 0:
		r.state = Repeated
		r.counts.Repeated++
		return r.state
	case d > r.limits.MaxDelta:
		r.state, r.need = WrongSequence, r.limits.Recover
		r.counts.Sequence++
	default:
		r.state, r.need = OK, max(0, r.need-1)
		if d > 1 {
			r.state = SomeLost
			r.counts.Lost += uint64(d - 1)
		}
	}
	r.last = counter
	switch {
	case r.Trusted():
		r.counts.Good++
	case r.state != WrongSequence:
		r.counts.Withheld++
	}
	return r.state
}

// Reject judges a frame that cannot even be checked, such as one of another
// length.
func (r *Receiver) Reject() State {
	r.state = Error
	r.counts.Errors++
	if r.errors++; r.errors > r.limits.MaxErrors {
		r.need = r.limits.Recover
	}
	return r.state
}

// delta is by how much the counter moved on since the last valid frame.
func (r *Receiver) delta(counter uint8) int {
	n := r.algorithm.Counters()
	return (int(counter) - int(r.last) + n) % n
}

// Silence says that no frame came when several were due, or that none could. The
// next one is the first again.
func (r *Receiver) Silence() {
	r.synced, r.errors, r.state = false, 0, NoNewData
}

// State returns what was said last.
func (r *Receiver) State() State { return r.state }

// Trusted reports whether the frame that was judged last may be believed.
func (r *Receiver) Trusted() bool {
	return r.need == 0 && (r.state == OK || r.state == SomeLost || r.state == Initial)
}

// Counts returns the counts so far.
func (r *Receiver) Counts() Counts { return r.counts }
