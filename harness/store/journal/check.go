// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"encoding/json"
	"time"

	"github.com/carguardd/carguardd/harness"
)

// Contents says what a journal holds.
type Contents struct {
	Records    int        `json:"records"`
	Turns      int        `json:"turns"`            // closed, with their documents
	Open       int        `json:"open"`             // begun and not closed
	Missing    uint64     `json:"missing"`          // records that were written and are gone
	Unreadable int        `json:"unreadable"`       // records that are there and make no sense
	Oldest     *time.Time `json:"oldest,omitempty"` // of the oldest record
	Newest     *time.Time `json:"newest,omitempty"` // of the newest one
	Broken     string     `json:"broken,omitempty"` // where the chain of records is broken first
}

// Check reads the whole journal, follows its chain and says what there is. What is
// missing or broken is in the result; the error is for a store that cannot be read.
func (j *Journal) Check(ctx context.Context) (Contents, error) {
	var c Contents
	open, err := j.OpenTurns()
	if err != nil {
		return c, err
	}
	c.Open = len(open)
	if _, err := j.log.Verify(ctx); err != nil {
		if ctx.Err() != nil {
			return c, err
		}
		c.Broken = err.Error()
	}
	c.Missing, err = j.walk(func(_ uint64, data []byte) bool {
		var r struct {
			Kind harness.RecordKind `json:"kind"`
			At   time.Time          `json:"at"`
			Doc  *struct{}          `json:"doc"`
		}
		c.Records++
		if json.Unmarshal(data, &r) != nil {
			c.Unreadable++
			return ctx.Err() == nil
		}
		if r.Kind == harness.TurnClosed && r.Doc != nil {
			c.Turns++
		}
		if c.Oldest = &r.At; c.Newest == nil {
			c.Newest = &r.At
		}
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	return c, err
}

// Lost returns how many of the newest records were missing when the journal was
// opened.
func (j *Journal) Lost() uint64 { return j.log.Cut() }
