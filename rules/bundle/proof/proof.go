// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"context"
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// Report is what a bundle has shown.
type Report struct {
	Tests int // of its own, all passed
	Floor int // of the car's floor, all hold
}

// What can fail.
const (
	OwnTests = "its own tests"
	TheFloor = "the floor"
)

// FailedError says that a bundle does not do what a test wants.
type FailedError struct {
	What     string // OwnTests or TheFloor
	Problems vehicle.Problems
}

func (e *FailedError) Error() string {
	if n := len(e.Problems); n > 1 {
		return fmt.Sprintf("%s failed: %v and %d more", e.What, e.Problems[0], n-1)
	}
	return fmt.Sprintf("%s failed: %v", e.What, e.Problems)
}

func (e *FailedError) Unwrap() error { return e.Problems }

// ErrDeadline says that the tests did not end in time.
var ErrDeadline = errors.New("the tests did not end in time")

// Run plays the tests of the set and then the floor to the judge. The error is
// a [*FailedError] when one fails, and matches [ErrDeadline] when ctx ended
// before all were played.
func Run(ctx context.Context, set *rules.Set, cat *vehicle.Catalog, judge rulestest.Judge, floor []*rules.Case) (Report, error) {
	judge = untilDone{judge, ctx}
	var played []rulestest.CaseReport
	for i, c := range set.Cases {
		if ctx.Err() != nil {
			return Report{}, late(ctx, i, len(set.Cases))
		}
		rep := rulestest.Play(set, cat, judge, c)
		if ctx.Err() != nil {
			return Report{}, late(ctx, i, len(set.Cases))
		}
		played = append(played, rep)
		if len(rep.Failures) > 0 {
			return Report{}, &FailedError{OwnTests, rep.Failures}
		}
	}
	if inert := rulestest.Sum(set, played).Inert; len(inert) > 0 {
		return Report{}, &FailedError{OwnTests, inert}
	}
	if err := Floor(ctx, set, cat, judge, floor); err != nil {
		return Report{}, err
	}
	return Report{len(set.Cases), len(floor)}, nil
}

func late(ctx context.Context, done, all int) error {
	return fmt.Errorf("%w: %d of %d were played (%w)", ErrDeadline, done, all, ctx.Err())
}

// untilDone is a judge that takes no further turn once its context has ended.
type untilDone struct {
	rulestest.Judge
	ctx context.Context
}

// Begin implements rulestest.Judge.
func (j untilDone) Begin(set *rules.Set, cat *vehicle.Catalog, c *rules.Case) (rulestest.Conversation, error) {
	talk, err := j.Judge.Begin(set, cat, c)
	return untilDoneTalk{talk, j.ctx}, err
}

type untilDoneTalk struct {
	rulestest.Conversation
	ctx context.Context
}

// Turn implements rulestest.Conversation.
func (t untilDoneTalk) Turn(turn *rules.CaseTurn) (rulestest.Outcome, error) {
	if err := t.ctx.Err(); err != nil {
		return rulestest.Outcome{}, err
	}
	return t.Conversation.Turn(turn)
}
