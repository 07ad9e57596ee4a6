// SPDX-License-Identifier: Apache-2.0

package judge

import (
	"context"
	"fmt"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// student drafts what the test says, once, then speaks the test's reply or
// leaves the report to the harness. Told that a draft is wrong it insists.
type student struct {
	turn    *rules.CaseTurn
	drafted bool
	last    harness.Draft
}

func (s *student) begin(t *rules.CaseTurn) { *s = student{turn: t} }

// Name implements harness.Student.
func (*student) Name() string { return "rule test" }

// Draft implements harness.Student.
func (s *student) Draft(_ context.Context, p *harness.Prompt) (harness.Draft, error) {
	switch {
	case len(p.Rejected) > 0:
	case !s.drafted && len(s.turn.Draft) > 0:
		s.last = harness.Draft{}
		for i, c := range s.turn.Draft {
			s.last.Calls = append(s.last.Calls, vehicle.Call{ID: fmt.Sprintf("t%d", i+1), Tool: c.Call, Args: c.Args})
		}
	case s.turn.Reply != "":
		s.last = harness.Draft{Text: s.turn.Reply}
	default:
		s.last = harness.Draft{Report: true}
	}
	s.drafted = true
	return s.last, nil
}
