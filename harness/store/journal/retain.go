// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
)

// Retain deletes all records that are older than the newest turns turns, and the
// ledgers of sessions that have none of those. What belongs to a turn that is
// still open is never deleted. It reads all that it keeps: call it when
// [Journal.Closed] says that it is worth it.
func (j *Journal) Retain(ctx context.Context, turns int) error {
	before := j.closed.Load()
	open, err := j.OpenTurns()
	if err != nil {
		return err
	}
	under := map[string]bool{}
	for _, id := range open {
		under[id] = true
	}
	sessions := map[string]bool{}
	var from uint64 // the first record that is kept
	closed := 0
	_, err = j.walk(func(seq uint64, data []byte) bool {
		var r struct {
			Kind    harness.RecordKind `json:"kind"`
			Session string             `json:"session"`
			Turn    string             `json:"turn"`
		}
		if json.Unmarshal(data, &r) != nil {
			return ctx.Err() == nil
		}
		if r.Kind == harness.TurnClosed || r.Kind == harness.TurnReconciled {
			closed++
		}
		if closed > turns && len(under) == 0 {
			from = seq + 1
			return false
		}
		sessions[r.Session] = true
		if r.Kind == harness.TurnBegun {
			delete(under, r.Turn)
		}
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && from > 0 {
		if err = j.log.Trim(ctx, from); err == nil {
			err = j.forget(sessions)
		}
	}
	if err != nil {
		return fmt.Errorf("delete old turns: %w", err)
	}
	// What was closed meanwhile was not counted. (The last count is one that is
	// not kept.)
	if from > 0 {
		closed--
	}
	return j.store.Batch(j.countClosed(j.closed.Add(int64(closed) - before)))
}

// Closed returns how many turns the journal keeps.
func (j *Journal) Closed() int { return int(j.closed.Load()) }

// forget deletes what is kept of sessions that are not among those.
func (j *Journal) forget(sessions map[string]bool) error {
	var ops []store.Op
	for _, prefix := range []string{prefixAsks, prefixNumber} {
		for e, err := range j.store.Scan(store.Range{Prefix: []byte(prefix)}) {
			if err != nil {
				return err
			}
			if len(ops) < store.MaxOps && !sessions[strings.TrimPrefix(string(e.Key), prefix)] {
				ops = append(ops, store.Delete(e.Key))
			}
		}
	}
	return j.store.Batch(ops...)
}
