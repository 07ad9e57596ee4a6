// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// RecordKind says which moment of a turn a record keeps.
type RecordKind string

// The kinds of a record, in the order in which a turn writes them.
const (
	TurnBegun    RecordKind = "begun"
	CallActing   RecordKind = "acting"   // written before the call goes out
	CallObserved RecordKind = "observed" // what came of it
	TurnClosed   RecordKind = "closed"
	// TurnReconciled closes a turn that a restart found open: the car was read,
	// nothing was sent.
	TurnReconciled RecordKind = "reconciled"
)

// Record is one entry of the turn journal.
type Record struct {
	Kind    RecordKind      `json:"kind"`
	Session string          `json:"session"`
	Turn    string          `json:"turn"`
	Number  int             `json:"number,omitempty"` // of a turn that begins
	At      time.Time       `json:"at"`
	Call    *vehicle.Call   `json:"call,omitempty"`
	Result  *vehicle.Result `json:"result,omitempty"`
	Doc     *Turn           `json:"doc,omitempty"` // of a closed turn
}

// Journal keeps what happened. It is written before acting and closed after
// observing, so that a restart knows what may have been under way.
type Journal interface {
	// Write keeps the record. A durable record is on disk before Write
	// returns. An error loses the record, never a turn.
	Write(ctx context.Context, r Record, durable bool) error
	// SaveAsks keeps the ask ledger of a session, LoadAsks returns it.
	SaveAsks(ctx context.Context, session string, asks []*Ask) error
	LoadAsks(ctx context.Context, session string) ([]*Ask, error)
	// LastTurn returns the number of a session's latest turn; numbers go on
	// over a restart.
	LastTurn(ctx context.Context, session string) (int, error)
}
