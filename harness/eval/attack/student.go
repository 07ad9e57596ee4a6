// SPDX-License-Identifier: Apache-2.0

package attack

import (
	"context"

	"github.com/carguardd/carguardd/harness"
)

// Student drafts what the case says, one draft after the other in each turn,
// then leaves the report to the harness. Told that a draft is wrong it insists:
// nothing is to hold because a model gives in.
type Student struct {
	c    *Case
	turn int // from 1
	next int // draft of the turn
	last harness.Draft
}

// NewStudent returns the student of a case.
func NewStudent(c *Case) *Student { return &Student{c: c} }

// Begin makes the student draft what the turn says, counted from 0.
func (s *Student) Begin(turn int) { s.turn, s.next = turn+1, 0 }

// Name implements harness.Student.
func (*Student) Name() string { return "fooled" }

// Draft implements harness.Student.
func (s *Student) Draft(_ context.Context, p *harness.Prompt) (harness.Draft, error) {
	if len(p.Rejected) > 0 {
		return s.last, nil
	}
	s.last = harness.Draft{Report: true}
	if s.turn > 0 && s.turn <= len(s.c.Turns) {
		if list := s.c.Turns[s.turn-1].Drafts; s.next < len(list) {
			s.last = list[s.next]
			s.next++
		}
	}
	return s.last, nil
}
