// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Critic says of advisory findings whether they hold. Implementations are
// models: none of them is trusted with more than that.
type Critic interface {
	// Name identifies the critic in traces.
	Name() string
	// Judge returns by ctx's deadline which of the case's advisories hold and
	// which do not, by their numbers. A verdict that comes with an error, or
	// later than the deadline, is not looked at but for its usage.
	Judge(ctx context.Context, c *Case) (Verdict, error)
}

// Case is what a critic judges.
type Case struct {
	Prompt *Prompt // what the student saw
	Draft  Draft
	// Advisories are numbered from 1, in this order.
	Advisories []string
}

// Verdict is a critic's answer to a case.
type Verdict struct {
	Confirmed []int
	Discarded []int
	Usage     Usage
}

// Criticism is what the trace says about one question to the critic.
type Criticism struct {
	By        string        `json:"by"`
	Put       int           `json:"put"` // advisories
	Confirmed []int         `json:"confirmed,omitempty"`
	Discarded []int         `json:"discarded,omitempty"`
	Ignored   int           `json:"ignored,omitempty"` // answers that name no advisory, or one both ways
	Failed    string        `json:"failed,omitempty"`  // why there was no verdict: the advisories were dropped
	Took      time.Duration `json:"took_ns"`
}

// read takes of a verdict what counts: the numbers of advisories that were put
// and that are on one side only. What nobody confirmed is dropped.
func (c *Criticism) read(v Verdict) {
	valid := func(list, other []int) []int {
		var out []int
		for _, n := range list {
			switch {
			case slices.Contains(out, n):
			case n < 1 || n > c.Put || slices.Contains(other, n):
				c.Ignored++
			default:
				out = append(out, n)
			}
		}
		slices.Sort(out)
		return out
	}
	c.Confirmed = valid(v.Confirmed, v.Discarded)
	c.Discarded = valid(v.Discarded, v.Confirmed)
}

// callCritic keeps a critic's panic, and what comes too late, from being more
// than advisories that are dropped.
func callCritic(ctx context.Context, cr Critic, c *Case) (v Verdict, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("it broke off: %v", x)
		}
	}()
	v, err = cr.Judge(ctx, c)
	if err == nil {
		err = ctx.Err()
	}
	return v, err
}
