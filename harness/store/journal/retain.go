// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"encoding/json"

	"github.com/carguardd/carguardd/harness"
)

// Retain deletes all records that are older than the newest turns turns. What
// belongs to a turn that is still open is never deleted.
func (j *Journal) Retain(ctx context.Context, turns int) error {
	open, err := j.OpenTurns()
	if err != nil || len(open) > 0 {
		return err
	}
	closed := 0
	for before := j.log.Next(); ; {
		recs, err := j.log.Before(before, page)
		if err != nil || len(recs) == 0 {
			return err
		}
		for i := len(recs) - 1; i >= 0; i-- {
			var r struct {
				Kind harness.RecordKind `json:"kind"`
			}
			if json.Unmarshal(recs[i].Data, &r) == nil && (r.Kind == harness.TurnClosed || r.Kind == harness.TurnReconciled) {
				closed++
			}
			if closed > turns {
				return j.log.Trim(ctx, recs[i].Seq+1)
			}
		}
		before = recs[0].Seq
	}
}
