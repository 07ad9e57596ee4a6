// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
)

// Journal is a [harness.Journal] in a store.
type Journal struct {
	store  store.Store
	log    *store.Log
	left   []string     // turns that were open when it was opened: an earlier run's
	closed atomic.Int64 // turns that are kept
}

var _ harness.Journal = (*Journal)(nil)

const (
	prefixTurn = "turn/"
	prefixOpen = "open/"
	prefixAsks = "asks/"
	// prefixNumber/<session> is the number of its latest turn.
	prefixNumber = "number/"
	keyClosed    = "closed" // how many turns are closed
)

// Open returns the journal in the store. It reads a few entries, however many
// turns there are.
func Open(s store.Store) (*Journal, error) {
	l, err := store.OpenLog(s, []byte(prefixTurn))
	if err != nil {
		return nil, err
	}
	j := &Journal{store: s, log: l}
	if j.left, err = j.OpenTurns(); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	n, err := j.number(keyClosed)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	j.closed.Store(int64(n))
	return j, nil
}

// Write appends the record. A record that begins or closes a turn keeps the
// list of open turns in the same batch.
func (j *Journal) Write(ctx context.Context, r harness.Record, durable bool) error {
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	var with []store.Op
	key := []byte(prefixOpen + r.Turn)
	switch r.Kind {
	case harness.TurnBegun:
		number := strconv.AppendInt(nil, int64(r.Number), 10)
		with = append(with, store.Set(key, nil), store.Set([]byte(prefixNumber+r.Session), number))
	case harness.TurnClosed, harness.TurnReconciled:
		with = append(with, store.Delete(key), j.countClosed(j.closed.Add(1)))
	}
	_, err = j.log.Append(ctx, data, durable, with...)
	if err != nil && len(with) > 0 && r.Kind != harness.TurnBegun {
		j.closed.Add(-1)
	}
	return err
}

func (j *Journal) countClosed(n int64) store.Op {
	return store.Set([]byte(keyClosed), strconv.AppendInt(nil, n, 10))
}

// SaveAsks keeps the ledger of a session.
func (j *Journal) SaveAsks(_ context.Context, session string, asks []*harness.Ask) error {
	data, err := json.Marshal(asks)
	if err != nil {
		return fmt.Errorf("save asks: %w", err)
	}
	return j.store.Batch(store.Set([]byte(prefixAsks+session), data))
}

// LoadAsks returns the ledger of a session; none is no error.
func (j *Journal) LoadAsks(_ context.Context, session string) ([]*harness.Ask, error) {
	data, err := j.store.Get([]byte(prefixAsks + session))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var asks []*harness.Ask
	if err := json.Unmarshal(data, &asks); err != nil {
		return nil, fmt.Errorf("load asks of session %s: %w", session, err)
	}
	return asks, nil
}

// LastTurn returns the number of the session's latest turn, 0 for a new one.
func (j *Journal) LastTurn(_ context.Context, session string) (int, error) {
	return j.number(prefixNumber + session)
}

// number reads a number, 0 where there is none.
func (j *Journal) number(key string) (int, error) {
	data, err := j.store.Get([]byte(key))
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(data))
}

// OpenTurns lists the turns that have begun and not closed.
func (j *Journal) OpenTurns() ([]string, error) {
	var out []string
	for e, err := range j.store.Scan(store.Range{Prefix: []byte(prefixOpen)}) {
		if err != nil {
			return out, err
		}
		out = append(out, strings.TrimPrefix(string(e.Key), prefixOpen))
	}
	return out, nil
}
